/** The user this process runs as. */

/** Undefined where users have no numbers. */
export function ownUser(): { readonly uid: number; readonly gid: number } | undefined {
  const uid = process.getuid?.();
  const gid = process.getgid?.();
  return uid === undefined || gid === undefined ? undefined : { uid, gid };
}
