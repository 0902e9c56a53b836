import { TableKit } from '@tiptap/extension-table'
import { type Editor, EditorContent, useEditor, useEditorState } from '@tiptap/react'
import StarterKit from '@tiptap/starter-kit'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { isRichLink, tidyOffice } from '#contract/kernel/rich-text.ts'
import { useT } from '../kernel/i18n/index.ts'
import { notify } from '../kernel/notify.ts'
import { Icon } from './icon.tsx'
import { LabelledInput } from './labelled.tsx'
import { documentOf } from './rich-dom.ts'
import { RichLook } from './rich-look.ts'
import { RichPicture, withKeptPictures } from './rich-picture.ts'
import { richTexts } from './rich-texts.ts'
import './rich-editor.css'

const paths = {
  h3: 'M2.5 3v10M8.5 3v10M2.5 8h6M11 6.5l2-1.5v8',
  h4: 'M2.5 3v10M8.5 3v10M2.5 8h6M10.8 6.7c.4-1.7 3.4-1.7 3.2.3-.1 1.7-3.2 3.5-3.2 6h3.4',
  bullets: 'M6 4h8M6 8h8M6 12h8M2.5 4h.01M2.5 8h.01M2.5 12h.01',
  numbers: 'M6.5 4h7.5M6.5 8h7.5M6.5 12h7.5M2 3l1-.5V6M2 10.2c.3-.7 1.9-.7 1.9.3 0 .9-1.9 1.2-1.9 2.5h2',
  quote: 'M3 3v10M6.5 5H14M6.5 8H14M6.5 11H11',
  link: 'M6.5 9.5l3-3M7 4.5l1.5-1.5a2.8 2.8 0 0 1 4 4L11 8.5M9 11.5 7.5 13a2.8 2.8 0 0 1-4-4L5 7.5',
  table: 'M2 3h12v10H2zM2 6.5h12M2 9.8h12M6 3v10M10 3v10',
  picture: 'M2 3h12v10H2zM5 6.5h.01M2 11l3.5-3 3 2.5L11 8l3 3',
  center: 'M2 3h12M4.5 6.5h7M2 10h12M4.5 13.5h7',
  right: 'M2 3h12M7 6.5h7M2 10h12M7 13.5h7',
  undo: 'M3 6h7a3.5 3.5 0 0 1 0 7H7M3 6l3-3M3 6l3 3',
  redo: 'M13 6H6a3.5 3.5 0 0 0 0 7h3M13 6l-3-3M13 6l-3 3',
} as const

const extensions = [
  StarterKit.configure({
    heading: { levels: [3, 4] },
    code: false,
    codeBlock: false,
    link: { openOnClick: false, autolink: true, defaultProtocol: 'https', isAllowedUri: address => isRichLink(address) },
  }),
  RichLook,
  TableKit.configure({ table: { resizable: false } }),
]

/** What is written, without the empty paragraphs at its end, which the editor keeps for the next word; nothing for none. */
const htmlOf = (editor: Editor): string => (editor.isEmpty ? '' : editor.getHTML().replace(/(<p><\/p>)+$/, ''))

interface Props {
  readonly id?: string
  /** Names the text box and its tools. */
  readonly label: string
  /** HTML of the tags in `contract/kernel/rich-text.ts`. */
  readonly value: string
  readonly onChange: (html: string) => void
  readonly disabled: boolean
  /** Keeps a picture and answers its address; without it the text has none. */
  readonly keepPicture?: ((file: File) => Promise<string>) | undefined
}

/** Rich text written as it will look. Keys of every word processor work (Ctrl+B, Ctrl+Z, …); the tools are one stop of the Tab key. */
export const RichEditor = ({ id, label, value, onChange, disabled, keepPicture }: Props) => {
  const t = useT(richTexts)
  const own = useRef(value)
  const change = useRef(onChange)
  useEffect(() => {
    change.current = onChange
  })
  const keep = useRef(keepPicture)
  keep.current = keepPicture
  const now = useRef<Editor | null>(null)
  const insertPictures = async (files: readonly File[]) => {
    for (const file of files) {
      // A refusal has been said by the api client; what is written stays.
      const src = await keep.current?.(file).catch(() => undefined)
      if (src !== undefined)
        now.current
          ?.chain()
          .focus()
          .insertContent({ type: 'picture', attrs: { src, alt: file.name } })
          .run()
    }
  }
  const insertPasted = async (html: string) => {
    if (keep.current === undefined) return
    const { html: kept, lost } = await withKeptPictures(tidyOffice(html), keep.current)
    const editor = now.current
    if (editor !== null) editor.chain().focus().insertContent(documentOf(editor.schema, kept).content).run()
    if (lost > 0) notify('warning', t('rich.lost', { count: lost }))
  }
  const editor = useEditor({
    extensions: keepPicture === undefined ? extensions : [...extensions, RichPicture],
    editable: !disabled,
    editorProps: {
      transformPastedHTML: tidyOffice,
      handlePaste: (_view, event) => {
        if (keep.current === undefined) return false
        const html = event.clipboardData?.getData('text/html') ?? ''
        const pictures = [...(event.clipboardData?.files ?? [])].filter(file => file.type.startsWith('image/'))
        if (/<img\b/i.test(html) && !(pictures.length === 1 && !/<(p|td|li)\b/i.test(html))) {
          void insertPasted(html)
          return true
        }
        if (pictures.length === 0) return false
        void insertPictures(pictures)
        return true
      },
      attributes: {
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': label,
        class: 'rich-text',
        ...(id === undefined ? {} : { id }),
      },
    },
    onUpdate: ({ editor: changed }) => {
      own.current = htmlOf(changed)
      change.current(own.current)
    },
    onCreate: ({ editor: made }) => made.commands.setContent(documentOf(made.schema, value), { emitUpdate: false }),
  })
  now.current = editor
  // A value from outside (a kept draft, what the server has cleaned) replaces the text; what was typed here comes back unchanged.
  useEffect(() => {
    if (editor === null || value === own.current) return
    own.current = value
    editor.commands.setContent(documentOf(editor.schema, value), { emitUpdate: false })
  }, [editor, value])
  useEffect(() => void editor?.setEditable(!disabled, false), [editor, disabled])
  if (editor === null) return <div className="input rich-wait" />
  return (
    <div className="rich" data-disabled={disabled}>
      {disabled ? null : (
        <Tools editor={editor} label={t('rich.tools', { label })} onPictures={keepPicture === undefined ? undefined : insertPictures} />
      )}
      <EditorContent editor={editor} />
    </div>
  )
}

const Tools = ({
  editor,
  label,
  onPictures,
}: {
  readonly editor: Editor
  readonly label: string
  readonly onPictures: ((files: readonly File[]) => Promise<void>) | undefined
}) => {
  const chooser = useRef<HTMLInputElement>(null)
  const t = useT(richTexts)
  const bar = useRef<HTMLDivElement>(null)
  const [address, setAddress] = useState<string | null>(null)
  const now = useEditorState({
    editor,
    selector: ({ editor: each }) => ({
      bold: each.isActive('bold'),
      italic: each.isActive('italic'),
      underline: each.isActive('underline'),
      h3: each.isActive('heading', { level: 3 }),
      h4: each.isActive('heading', { level: 4 }),
      bullets: each.isActive('bulletList'),
      numbers: each.isActive('orderedList'),
      quote: each.isActive('blockquote'),
      center: each.isActive({ 'data-align': 'center' }),
      right: each.isActive({ 'data-align': 'right' }),
      link: each.isActive('link'),
      table: each.isActive('table'),
      undo: each.can().undo(),
      redo: each.can().redo(),
    }),
  })
  const chain = () => editor.chain().focus()
  /** Arrows walk along the bar, as in every toolbar. */
  const walk = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (step === undefined) return
    const buttons = [...(bar.current?.querySelectorAll<HTMLButtonElement>('button:not(:disabled)') ?? [])]
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement)
    buttons[(at + step + buttons.length) % buttons.length]?.focus()
    event.preventDefault()
  }
  const tool = (name: string, face: ReactNode, run: () => void, more: { pressed?: boolean; disabled?: boolean; first?: boolean } = {}) => (
    <button
      type="button"
      tabIndex={more.first ? 0 : -1}
      title={name}
      aria-label={typeof face === 'string' ? undefined : name}
      aria-pressed={more.pressed}
      disabled={more.disabled}
      onMouseDown={event => event.preventDefault()}
      onClick={run}
    >
      {face}
    </button>
  )
  /** The block at the cursor, a paragraph or a heading; pressed once more its lines begin at the left again. */
  const align = (to: 'center' | 'right') => {
    const attributes = { 'data-align': now[to] ? null : to }
    chain().updateAttributes('paragraph', attributes).updateAttributes('heading', attributes).run()
  }
  const linkWrong = address !== null && address !== '' && !isRichLink(address.trim())
  const setLink = () => {
    const target = address?.trim() ?? ''
    if (target === '') chain().extendMarkRange('link').unsetLink().run()
    else if (!isRichLink(target)) return
    else if (editor.state.selection.empty && !now.link)
      chain()
        .insertContent({ type: 'text', text: target, marks: [{ type: 'link', attrs: { href: target } }] })
        .run()
    else chain().extendMarkRange('link').setLink({ href: target }).run()
    setAddress(null)
  }
  const enter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    setLink()
  }
  return (
    <>
      <div ref={bar} className="rich-tools" role="toolbar" aria-label={label} onKeyDown={walk}>
        {tool(t('rich.h3'), <Icon d={paths.h3} />, () => chain().toggleHeading({ level: 3 }).run(), { pressed: now.h3, first: true })}
        {tool(t('rich.h4'), <Icon d={paths.h4} />, () => chain().toggleHeading({ level: 4 }).run(), { pressed: now.h4 })}
        {tool(t('rich.bold'), <b>B</b>, () => chain().toggleBold().run(), { pressed: now.bold })}
        {tool(t('rich.italic'), <i>I</i>, () => chain().toggleItalic().run(), { pressed: now.italic })}
        {tool(t('rich.underline'), <u>U</u>, () => chain().toggleUnderline().run(), { pressed: now.underline })}
        {tool(t('rich.bullets'), <Icon d={paths.bullets} />, () => chain().toggleBulletList().run(), { pressed: now.bullets })}
        {tool(t('rich.numbers'), <Icon d={paths.numbers} />, () => chain().toggleOrderedList().run(), { pressed: now.numbers })}
        {tool(t('rich.quote'), <Icon d={paths.quote} />, () => chain().toggleBlockquote().run(), { pressed: now.quote })}
        {tool(t('rich.center'), <Icon d={paths.center} />, () => align('center'), { pressed: now.center })}
        {tool(t('rich.right'), <Icon d={paths.right} />, () => align('right'), { pressed: now.right })}
        {tool(t('rich.link'), <Icon d={paths.link} />, () => setAddress(String(editor.getAttributes('link')['href'] ?? '')), {
          pressed: now.link,
        })}
        {tool(t('rich.table'), <Icon d={paths.table} />, () => chain().insertTable({ rows: 3, cols: 3, withHeaderRow: true }).run(), {
          disabled: now.table,
        })}
        {onPictures === undefined ? null : (
          <>
            {tool(t('rich.picture'), <Icon d={paths.picture} />, () => chooser.current?.click())}
            <input
              ref={chooser}
              type="file"
              accept="image/png,image/jpeg"
              multiple
              // The kit's style sheet shows file controls of forms, also hidden ones.
              style={{ display: 'none' }}
              aria-label={t('rich.picture')}
              onChange={event => {
                void onPictures([...(event.target.files ?? [])])
                event.target.value = ''
              }}
            />
          </>
        )}
        {now.table ? (
          <>
            {tool(t('rich.addRow'), t('rich.addRow.short'), () => chain().addRowAfter().run())}
            {tool(t('rich.addColumn'), t('rich.addColumn.short'), () => chain().addColumnAfter().run())}
            {tool(t('rich.dropRow'), t('rich.dropRow.short'), () => chain().deleteRow().run())}
            {tool(t('rich.dropColumn'), t('rich.dropColumn.short'), () => chain().deleteColumn().run())}
            {tool(t('rich.dropTable'), t('rich.dropTable.short'), () => chain().deleteTable().run())}
          </>
        ) : null}
        {tool(t('rich.undo'), <Icon d={paths.undo} />, () => chain().undo().run(), { disabled: !now.undo })}
        {tool(t('rich.redo'), <Icon d={paths.redo} />, () => chain().redo().run(), { disabled: !now.redo })}
      </div>
      {address === null ? null : (
        // No form: the editor itself stands in one.
        <fieldset className="rich-link" aria-label={t('rich.link')} onKeyDown={enter}>
          <LabelledInput
            label={t('rich.address')}
            value={address}
            onChange={setAddress}
            error={linkWrong ? t('rich.address.wrong') : undefined}
          />
          <button type="button" className="button button-primary" onClick={setLink}>
            {address.trim() === '' ? t('rich.unlink') : t('rich.apply')}
          </button>
          <button type="button" className="button" onClick={() => setAddress(null)}>
            {t('action.cancel')}
          </button>
        </fieldset>
      )}
    </>
  )
}
