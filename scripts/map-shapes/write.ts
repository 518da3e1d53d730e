import type { Topology } from './topology.ts';

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Returns a whole number as letters of five bits each, the least first; its sign is the first bit. */
function numberText(value: number): string {
  let rest = value < 0 ? -2 * value - 1 : 2 * value;
  let text = '';
  do {
    const bits = rest % 32;
    rest = Math.floor(rest / 32);
    text += digits[rest > 0 ? bits + 32 : bits] ?? '';
  } while (rest > 0);
  return text;
}

/**
 * Shapes as the elements read them: each point of a line as its difference from the one before, also from that of the line
 * before, in steps of `scale` degrees; and each line of a ring as twice its difference in number from the one before, and one
 * more where it runs backwards.
 */
export function shapesJson({ arcs, shapes }: Topology, scale: number): string {
  let [lastX, lastY] = [0, 0];
  const lines = arcs.map((arc) => {
    let text = '';
    for (const [place, [longitude, latitude]] of arc.entries()) {
      const [x, y] = [Math.round(longitude / scale), Math.round(latitude / scale)];
      if (place > 0 && x === lastX && y === lastY && place < arc.length - 1) continue;
      text += numberText(x - lastX) + numberText(y - lastY);
      [lastX, lastY] = [x, y];
    }
    return text;
  });
  let last = 0;
  const ringText = (ring: readonly number[]): string =>
    ring.reduce((text, number) => {
      const [line, isReverse] = number < 0 ? [~number, 1] : [number, 0];
      const step = line - last;
      last = line;
      return text + numberText(step * 2 + isReverse);
    }, '');
  const rows = shapes.map(({ codes, rings, names = [] }) =>
    JSON.stringify([codes.join(' '), rings.map(ringText).join(' '), names.join(';')].join('|').replace(/\|$/u, '')),
  );
  return `{\n"scale":${scale},\n"arcs":"${lines.join(' ')}",\n"shapes":[\n${rows.join(',\n')}\n]\n}\n`;
}
