/** The first day of 4713 BC: PostgreSQL holds no earlier time, and every later one that a Date has. */
const EARLIEST = new Date(Date.UTC(-4712, 0, 1));

/** Whether the database can hold the time; an invalid Date is none. */
export const isStorableTime = (time: Date): boolean => time >= EARLIEST;
