/** The first moment of the day in the reader's zone, even if clocks skip midnight there. */
export function startOfDay(time: Date): Date {
  const start = new Date(time);
  start.setHours(0, 0, 0, 0);
  return start;
}
