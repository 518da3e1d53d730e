import type { Caller } from '../access/caller.ts';
import type { CallContext } from '../tracing/call-context.ts';
import type { ExportSpec } from './export-spec.ts';
import type { ExportedFile } from './exported-file.ts';
import { renderDashboard, type DashboardRendering } from './render-dashboard.ts';
import type { RowsRendering } from './render-rows.ts';

/**
 * Renders an export with the rights of its caller. Abort the signal of `context` to cancel it, or to release a stream
 * that is not read. Raises Problem.
 */
export type RenderExport = (caller: Caller, spec: ExportSpec, context: CallContext) => Promise<ExportedFile>;

export const createRenderExport =
  (dashboards: DashboardRendering, rows: RowsRendering): RenderExport =>
  (caller, spec, context) =>
    spec.kind === 'rows' ? rows.render(caller, spec, context) : renderDashboard(dashboards, caller, spec, context);
