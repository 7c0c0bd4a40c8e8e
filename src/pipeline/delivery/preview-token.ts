/** The name of the row in the outbox that shows a turn's answer while it is written. */
export const previewToken = (runId: string): string => `${runId}:preview`;
