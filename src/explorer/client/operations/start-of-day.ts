/** The first moment of the day where the reader is, also where clocks skip midnight in spring. */
export function startOfDay(time: Date): Date {
  const start = new Date(time);
  start.setHours(0, 0, 0, 0);
  return start;
}
