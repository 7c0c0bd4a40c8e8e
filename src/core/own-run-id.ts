/** Run ids of the gateway's own work. They are predictable, so clients may not use them. Pure. */

const OWN = /^(?:(?:cron|exchange|heartbeat|hook|process|wake):|hook-[0-9a-f]{32}(?:$|:))/;

/** True for ids that only the gateway itself gives to runs; callers may not choose one of these. */
export const isOwnRunId = (id: string): boolean => OWN.test(id);
