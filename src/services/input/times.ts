/** The first day of 4713 BC. PostgreSQL stores no earlier time, but every later time of a Date. */
const EARLIEST = new Date(Date.UTC(-4712, 0, 1));

/** Whether the database can store the time; false for an invalid Date. */
export const isStorableTime = (time: Date): boolean => time >= EARLIEST;
