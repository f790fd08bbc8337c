import { circle, COLOURS, FAINT, INK, line, picture, rectangle, text } from './svg.ts';

interface DotGroup {
  readonly label: string;
  /** One for each series, in their order; undefined if a series has none. */
  readonly values: readonly (number | undefined)[];
}

export interface DotChart {
  readonly title: string;
  /** What the axis shows. */
  readonly axis: string;
  readonly series: readonly string[];
  readonly groups: readonly DotGroup[];
  /** Writes a value, at a dot and on the axis. */
  readonly format: (value: number) => string;
  /** A value to draw a strong line at. */
  readonly mark?: number;
}

/** A logarithmic axis, all of whose values are more than 0. */
interface Axis {
  readonly from: number;
  readonly to: number;
  readonly ticks: readonly number[];
}

const WIDTH = 820;
const LEFT = 320;
const RIGHT = 80;
const TOP = 96;
const ROW = 13;
const GAP = 9;
const RADIUS = 4;

/** Dots on one logarithmic axis, in groups below each other: equal distances are equal ratios, in all groups. */
export function dotChart({ title, axis: name, series, groups, format, mark }: DotChart): string {
  const values = groups.flatMap((group) => group.values.filter((value) => value !== undefined));
  const axis = axisOf(mark === undefined ? values : [...values, mark]);
  const xOf = (value: number): number =>
    LEFT + (Math.log(value / axis.from) / Math.log(axis.to / axis.from)) * (WIDTH - LEFT - RIGHT);
  const tops = groups.map((_, index) =>
    groups.slice(0, index).reduce((top, group) => top + heightOf(group), TOP),
  );
  const height = TOP + groups.reduce((sum, group) => sum + heightOf(group), 0) + GAP;
  return picture(WIDTH, height, title, [
    text(16, 24, title, { size: 15, weight: 'bold' }),
    ...legend(series),
    text((LEFT + WIDTH - RIGHT) / 2, 68, name, { anchor: 'middle', size: 11 }),
    ...axis.ticks.flatMap((tick) => [
      line(upright(xOf(tick), height), FAINT, tick === mark ? 3 : 1),
      text(xOf(tick), TOP - 10, format(tick), { anchor: 'middle', size: 10 }),
    ]),
    ...groups.flatMap((group, index) => drawGroup(group, tops[index] ?? TOP, xOf, format)),
  ]);
}

function heightOf({ values }: DotGroup): number {
  return values.length * ROW + GAP;
}

/** Ticks at 1, 2 and 5 of each power of ten, or at the powers alone if there are many. */
function axisOf(values: readonly number[]): Axis {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const powers = Array.from(
    { length: Math.ceil(Math.log10(most)) - Math.floor(Math.log10(least)) + 1 },
    (_, index) => 10 ** (Math.floor(Math.log10(least)) + index),
  );
  const steps = powers.length > 4 ? [1] : [1, 2, 5];
  const ticks = powers.flatMap((power) => steps.map((step) => step * power));
  const from = ticks.findLast((tick) => tick <= least) ?? least;
  const to = ticks.find((tick) => tick >= most && tick > from) ?? most;
  return { from, to, ticks: ticks.filter((tick) => tick >= from && tick <= to) };
}

function upright(x: number, height: number) {
  return [
    [x, TOP - 4],
    [x, height - GAP],
  ] as const;
}

function legend(series: readonly string[]): string[] {
  if (series.length < 2) return [];
  const step = (WIDTH - 32) / series.length;
  return series.flatMap((name, index) => [
    rectangle(16 + index * step, 35, 10, 10, colourOf(index)),
    text(31 + index * step, 44, name, { size: 11 }),
  ]);
}

function drawGroup(
  { label, values }: DotGroup,
  top: number,
  xOf: (value: number) => number,
  format: DotChart['format'],
): string[] {
  const middle = top + (values.length * ROW) / 2 + 3;
  return [
    text(LEFT - 12, middle, label, { anchor: 'end', size: 11 }),
    ...values.flatMap((value, index) => {
      if (value === undefined) return [];
      const y = top + index * ROW + ROW / 2;
      return [
        circle(xOf(value), y, RADIUS, colourOf(index)),
        text(xOf(value) + RADIUS + 4, y + 4, format(value), { size: 10 }),
      ];
    }),
  ];
}

function colourOf(index: number): string {
  return COLOURS[index % COLOURS.length] ?? INK;
}
