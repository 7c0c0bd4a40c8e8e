/** The standard catalog of A2UI 0.8: 18 components and their properties. */
import { z } from 'zod';
import { schemaOf, type Catalog } from './catalog.ts';

const path = z.string();
/** A literal, a path, or both: then the literal is what the path begins with. */
const bound = <K extends string>(literals: Record<K, z.ZodType>) =>
  z
    .strictObject({ ...(literals as Record<string, z.ZodType>), path: path.optional() })
    .refine((value) => Object.keys(value).length > 0, {
      error: `expected ${[...Object.keys(literals), 'path'].join(' or ')}`,
    });

const text = bound({ literalString: z.string().optional() });
const truth = bound({ literalBoolean: z.boolean().optional() });
const number = bound({ literalNumber: z.number().optional() });
const selections = bound({ literalArray: z.array(z.string()).optional() });
const anyValue = bound({
  literalString: z.string().optional(),
  literalNumber: z.number().optional(),
  literalBoolean: z.boolean().optional(),
});

const id = z.string().min(1);
const children = z
  .strictObject({
    explicitList: z.array(id).optional(),
    template: z.strictObject({ componentId: id, dataBinding: path }).optional(),
  })
  .refine(({ explicitList, template }) => (explicitList === undefined) !== (template === undefined), {
    error: 'expected explicitList or template, not both',
  });
const action = z.strictObject({
  name: z.string().min(1),
  context: z.array(z.strictObject({ key: z.string(), value: anyValue })).optional(),
});

const MAIN_AXIS = ['start', 'center', 'end', 'spaceBetween', 'spaceAround', 'spaceEvenly'] as const;
const CROSS_AXIS = ['start', 'center', 'end', 'stretch'] as const;
const line = z.strictObject({
  children,
  distribution: z.enum(MAIN_AXIS).optional(),
  alignment: z.enum(CROSS_AXIS).optional(),
});

/** Every component of the standard catalogue by its name. */
export const CATALOG_0_8: Catalog = {
  Text: z.strictObject({
    text,
    usageHint: z.enum(['h1', 'h2', 'h3', 'h4', 'h5', 'caption', 'body']).optional(),
  }),
  Image: z.strictObject({
    url: text,
    altText: text.optional(),
    fit: z.enum(['contain', 'cover', 'fill', 'none', 'scale-down']).optional(),
    usageHint: z.enum(['icon', 'avatar', 'smallFeature', 'mediumFeature', 'largeFeature', 'header']).optional(),
  }),
  Icon: z.strictObject({ name: text }),
  Video: z.strictObject({ url: text }),
  AudioPlayer: z.strictObject({ url: text, description: text.optional() }),
  Row: line,
  Column: line,
  List: z.strictObject({
    children,
    direction: z.enum(['vertical', 'horizontal']).optional(),
    alignment: z.enum(CROSS_AXIS).optional(),
  }),
  Card: z.strictObject({ child: id }),
  Tabs: z.strictObject({ tabItems: z.array(z.strictObject({ title: text, child: id })) }),
  Divider: z.strictObject({ axis: z.enum(['horizontal', 'vertical']).optional() }),
  Modal: z.strictObject({ entryPointChild: id, contentChild: id }),
  Button: z.strictObject({ child: id, action, primary: z.boolean().optional() }),
  CheckBox: z.strictObject({ label: text, value: truth }),
  TextField: z.strictObject({
    label: text,
    text: text.optional(),
    textFieldType: z.enum(['date', 'longText', 'number', 'shortText', 'obscured']).optional(),
    validationRegexp: z.string().optional(),
  }),
  DateTimeInput: z.strictObject({
    value: text,
    enableDate: z.boolean().optional(),
    enableTime: z.boolean().optional(),
    outputFormat: z.string().optional(),
  }),
  MultipleChoice: z.strictObject({
    selections,
    options: z.array(z.strictObject({ label: text, value: z.string() })),
    maxAllowedSelections: z.number().int().optional(),
    variant: z.enum(['checkbox', 'chips']).optional(),
    filterable: z.boolean().optional(),
  }),
  Slider: z.strictObject({
    value: number,
    label: text.optional(),
    minValue: z.number().optional(),
    maxValue: z.number().optional(),
  }),
};

/** Whether the standard catalogue has a component of this name. */
export const isStandard = (type: string): boolean => schemaOf(CATALOG_0_8, type) !== undefined;
