/** The token of the outbox row that holds a turn's preview. */
export const previewToken = (runId: string): string => `${runId}:preview`;
