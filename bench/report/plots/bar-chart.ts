import { COLOURS, FAINT, INK, line, picture, rectangle, text } from './svg.ts';

interface BarGroup {
  readonly label: string;
  /** One for each series, in their order; undefined where there is none. */
  readonly bars: readonly (Bar | undefined)[];
}

interface Bar {
  readonly value: number;
  /** Stands behind the bar. */
  readonly label: string;
}

export interface BarChart {
  readonly title: string;
  readonly series: readonly string[];
  readonly groups: readonly BarGroup[];
  /** Values to draw a line at. */
  readonly marks?: readonly number[];
  /** What a bar is cut at: few large values would make all others unreadable. */
  readonly most?: number;
  /** Whether each group has a scale of its own, because they are far apart. */
  readonly scaled?: 'each group';
}

const WIDTH = 820;
const LEFT = 320;
const RIGHT = 90;
const TOP = 72;
const BAR = 12;
const GAP = 8;

/** Horizontal bars in groups, one below the other. */
export function barChart(chart: BarChart): string {
  const { title, series, groups, marks = [] } = chart;
  const height = TOP + groups.reduce((sum, group) => sum + heightOf(group), 0) + GAP;
  const bottom = height - GAP;
  const scale = scaleOf(chart, groups);
  return picture(WIDTH, height, title, [
    text(16, 24, title, { size: 15, weight: 'bold' }),
    ...legend(series),
    ...marks.flatMap((mark) => markAt(LEFT + mark * scale, mark, bottom)),
    ...groups.flatMap((group, index) => {
      const top = TOP + groups.slice(0, index).reduce((sum, one) => sum + heightOf(one), 0);
      return drawGroup(group, top, chart.scaled === undefined ? scale : scaleOf(chart, [group]), chart.most);
    }),
  ]);
}

function heightOf({ bars }: BarGroup): number {
  return bars.length * BAR + GAP;
}

/** Pixels for a value of one. */
function scaleOf({ marks = [], most = Infinity }: BarChart, groups: readonly BarGroup[]): number {
  const values = groups.flatMap(({ bars }) => bars.map((bar) => bar?.value ?? 0));
  return (WIDTH - LEFT - RIGHT) / Math.min(most, Math.max(...values, ...marks, Number.MIN_VALUE));
}

function legend(series: readonly string[]): string[] {
  if (series.length < 2) return [];
  const step = (WIDTH - 32) / series.length;
  return series.flatMap((name, index) => [
    rectangle(16 + index * step, 35, 10, 10, colourOf(index)),
    text(31 + index * step, 44, name, { size: 11 }),
  ]);
}

function markAt(x: number, mark: number, bottom: number): string[] {
  const points = [
    [x, TOP - 4],
    [x, bottom],
  ] as const;
  return [line(points, FAINT, 2), text(x, TOP - 6, String(mark), { anchor: 'middle', size: 10 })];
}

function drawGroup({ label, bars }: BarGroup, top: number, scale: number, most = Infinity): string[] {
  const middle = top + (bars.length * BAR) / 2 + 4;
  return [
    text(LEFT - 8, middle, label, { anchor: 'end', size: 11 }),
    ...bars.flatMap((bar, index) => (bar ? drawBar(bar, index, top + index * BAR, scale, most) : [])),
  ];
}

function drawBar({ value, label }: Bar, index: number, y: number, scale: number, most: number): string[] {
  const width = Math.max(1, Math.min(value, most) * scale);
  const isCut = value > most;
  return [
    rectangle(LEFT, y, width, BAR - 2, colourOf(index)),
    ...(isCut ? [text(LEFT + width - 10, y + 9, '»', { size: 10 })] : []),
    text(LEFT + width + 4, y + 9, label, { size: 10 }),
  ];
}

function colourOf(index: number): string {
  return COLOURS[index % COLOURS.length] ?? INK;
}
