import type { Label } from '#contract/kernel/label.ts'
import type { SheetBook, SheetColumn } from '#kernel/sheet/write-sheet.ts'
import type { HeaderSpec } from '../domain/sheet.ts'

/** What the sheet of a template is called that says how to fill it in. */
export const explanationSheet = { zh: '填写说明', en: 'How to fill in' } satisfies Label

const asText = { zh: '文本格式，开头的 0 会保留', en: 'Text, zeros before it stay' } satisfies Label

/** A column to fill in: the format of its cells goes by the field, so that what is typed is what is read. */
export const templateColumn = (
  say: (label: Label) => string,
  { header, required, kind = 'text' }: HeaderSpec,
  { note, sample, choices, width }: { note?: Label; sample?: string; choices?: readonly string[]; width?: number } = {},
): SheetColumn => {
  const hint = [note ? say(note) : '', kind === 'code' ? say(asText) : '', sample ? `${say({ zh: '示例', en: 'Sample' })}: ${sample}` : '']
  const said = hint.filter(text => text !== '').join('\n')
  return {
    header,
    required,
    kind: kind === 'code' ? 'text' : kind,
    ...(width === undefined ? {} : { width }),
    ...(choices ? { choices } : {}),
    ...(said === '' ? {} : { hint: said }),
  }
}

/** A workbook to fill in: the headers, and a second sheet that says what belongs there. */
export const templateBook = (
  say: (label: Label) => string,
  name: Label,
  columns: Readonly<Record<string, HeaderSpec>>,
  notes: Readonly<Record<string, { readonly note: Label; readonly sample: string; readonly choices?: readonly string[] }>>,
): SheetBook => ({
  sheets: [
    {
      name: say(name),
      columns: Object.entries(columns).map(([key, spec]) => templateColumn(say, spec, { width: 20, ...notes[key] })),
      rows: [],
    },
    {
      name: say(explanationSheet),
      columns: [
        { header: say({ zh: '列', en: 'Column' }), width: 24 },
        { header: say({ zh: '必填', en: 'Required' }), width: 10 },
        { header: say({ zh: '说明', en: 'Meaning' }), width: 60 },
        { header: say({ zh: '示例', en: 'Sample' }), width: 28 },
      ],
      rows: Object.entries(columns).map(([key, { header, required }]) => [
        header,
        required ? say({ zh: '是', en: 'yes' }) : '',
        notes[key] ? say(notes[key].note) : '',
        notes[key]?.sample ?? '',
      ]),
    },
  ],
})
