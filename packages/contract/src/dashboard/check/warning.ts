/** A probable mistake in stored contents. */
export interface ContentsWarning {
  /** Path such as `contents.views[0].items[2].type`. */
  readonly path: string;
  readonly code:
    | ('unknown_member' | 'unknown_value' | 'wrong_type' | 'missing' | 'unknown_format' | 'newer_version')
    | ('duplicate_id' | 'outside_grid' | 'overlap' | 'no_effect');
  readonly message: string;
}
