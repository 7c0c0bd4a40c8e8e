/** Functions for tools that show pictures to models. */
export { pictureKind } from '../platform/pictures/picture-kind.ts';
export { fitPicture } from '../platform/pictures/fit-picture.ts';
export { pictureForModel, type ShownPicture } from '../platform/pictures/shrink-for-model.ts';
export { sizeText } from '../core/size-text.ts';
