import type { Label } from '../kernel/label.ts'
import { cellTypes } from '../signup/cell-types.ts'
import { formKeyHow, formKeyPattern } from './form-key.ts'

// Written as plain JSON schemas: the console carries the resources they belong to, and not the library that makes schemas.

const label = (zh: string, en: string): Label => ({ zh, en })
const strict = (properties: object, required: readonly string[]) => ({ type: 'object', properties, required, additionalProperties: false })
const orNull = (schema: object) => ({ anyOf: [schema, { type: 'null' }] })

/** The columns of a field of type `table` (domain 3.3). */
export const tableColumnsShape = {
  type: 'array',
  maxItems: 20,
  items: strict(
    {
      key: { type: 'string', pattern: formKeyPattern, 'x-label': label('列标识', 'Key of a column'), 'x-how': formKeyHow },
      label: { type: 'string', minLength: 1, maxLength: 40, 'x-label': label('列名称', 'Label of a column') },
      labelEn: { type: 'string', maxLength: 80, 'x-label': label('列英文名称', 'English label of a column') },
      fieldType: { enum: [...cellTypes], 'x-label': label('列类型', 'Type of a column') },
      required: { type: 'boolean' },
      dictCode: orNull({ type: 'string', maxLength: 60, 'x-label': label('列字典', 'Dictionary of a column') }),
      maxLen: orNull({ type: 'integer', minimum: 1, maximum: 5_000, 'x-label': label('列最大长度', 'Longest text of a column') }),
    },
    ['key', 'label', 'fieldType'],
  ),
}

const answer = { anyOf: [{ type: 'string', maxLength: 200 }, { type: 'number' }, { type: 'boolean' }] }
/** When a field or a file is asked for (domain 3.3 `visibleWhen`). */
export const visibleWhenShape = strict(
  {
    key: { type: 'string', pattern: formKeyPattern },
    op: { enum: ['eq', 'in', 'ne', 'notEmpty'] },
    value: orNull({ anyOf: [answer, { type: 'array', maxItems: 200, items: answer }] }),
  },
  ['key', 'op'],
)

/** Of a picture's side; larger ones are not taken. */
const pixels = { type: 'integer', minimum: 1, maximum: 20_000 }
/** Sides in pixels, and width by height from–to (domain 3.4 `pixel`). */
export const pixelShape = strict(
  {
    ...{ minW: pixels, minH: pixels, maxW: pixels, maxH: pixels },
    ratio: { type: 'array', minItems: 2, maxItems: 2, items: { type: 'number', minimum: 0.1, maximum: 10 } },
  },
  ['minW', 'minH', 'maxW', 'maxH', 'ratio'],
)
