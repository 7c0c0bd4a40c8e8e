/** Which folders of the product are features and plugins: the build, which joins their modules, writes it here. */

/** Folder below the sources → the default export of its index. Undefined from source: the folders are looked at. */
export const BUNDLED: Readonly<Record<string, unknown>> | undefined = undefined;
