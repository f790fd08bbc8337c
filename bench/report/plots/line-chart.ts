import { COLOURS, FAINT, INK, line, picture, text } from './svg.ts';

interface Series {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

export interface LineChart {
  readonly title: string;
  readonly series: readonly Series[];
  /** What the axes show. */
  readonly axes: readonly [x: string, y: string];
  readonly formatX: (value: number) => string;
  readonly formatY: (value: number) => string;
}

const WIDTH = 820;
const HEIGHT = 460;
const LEFT = 80;
const RIGHT = 190;
const TOP = 48;
const BOTTOM = 48;

interface Axis {
  /** Powers of ten. */
  readonly from: number;
  readonly to: number;
}

/** Lines over two logarithmic axes: what grows linearly rises by one step a step. */
export function lineChart({ title, series, axes, formatX, formatY }: LineChart): string {
  const points = series.flatMap((one) => one.points);
  const [xAxis, yAxis] = [axisOf(points.map(([x]) => x)), axisOf(points.map(([, y]) => y))];
  const xOf = (value: number): number => LEFT + share(value, xAxis) * (WIDTH - LEFT - RIGHT);
  const yOf = (value: number): number => HEIGHT - BOTTOM - share(value, yAxis) * (HEIGHT - TOP - BOTTOM);
  return picture(WIDTH, HEIGHT, title, [
    text(16, 24, title, { size: 15, weight: 'bold' }),
    text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, axes[0], { anchor: 'middle', size: 11 }),
    text(LEFT, TOP - 8, axes[1], { size: 11 }),
    ...ticksOf(xAxis).flatMap((value) => [
      line(
        [
          [xOf(value), TOP],
          [xOf(value), HEIGHT - BOTTOM],
        ],
        FAINT,
      ),
      text(xOf(value), HEIGHT - BOTTOM + 18, formatX(value), { anchor: 'middle', size: 11 }),
    ]),
    ...ticksOf(yAxis).flatMap((value) => [
      line(
        [
          [LEFT, yOf(value)],
          [WIDTH - RIGHT, yOf(value)],
        ],
        FAINT,
      ),
      text(LEFT - 8, yOf(value) + 4, formatY(value), { anchor: 'end', size: 11 }),
    ]),
    ...series.flatMap(({ name, points: own }, index) => {
      const colour = COLOURS[index % COLOURS.length] ?? INK;
      return [
        line(
          own.map(([x, y]) => [xOf(x), yOf(y)] as const),
          colour,
          2,
        ),
        text(WIDTH - RIGHT + 30, TOP + 16 + index * 18, name, { size: 11 }),
        line(
          [
            [WIDTH - RIGHT + 8, TOP + 12 + index * 18],
            [WIDTH - RIGHT + 24, TOP + 12 + index * 18],
          ],
          colour,
          3,
        ),
      ];
    }),
  ]);
}

function axisOf(values: readonly number[]): Axis {
  return {
    from: Math.floor(Math.log10(Math.min(...values))),
    to: Math.ceil(Math.log10(Math.max(...values))),
  };
}

function share(value: number, { from, to }: Axis): number {
  return (Math.log10(value) - from) / Math.max(1, to - from);
}

function ticksOf({ from, to }: Axis): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => 10 ** (from + index));
}
