import type { Label } from '#contract/kernel/label.ts'
import type { SheetBook } from '#kernel/sheet/write-sheet.ts'
import type { HeaderSpec } from '../domain/sheet.ts'

/** What the sheet of a template is called that says how to fill it in. */
export const explanationSheet = { zh: '填写说明', en: 'How to fill in' } satisfies Label

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
      columns: Object.entries(columns).map(([key, { header, required }]) => ({
        header,
        required,
        kind: 'text' as const,
        width: 20,
        ...(notes[key]?.choices ? { choices: notes[key].choices } : {}),
      })),
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
