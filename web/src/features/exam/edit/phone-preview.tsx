import { sizeOf } from '#web/kernel/format.ts'
import { useLang, useT } from '#web/kernel/i18n/index.ts'
import { useDict } from '#web/resource/use-dict.ts'
import { examTexts } from '../texts.ts'
import type { SignFile, SignItem } from '../wire.ts'
import '../exam.css'

const shownOptions = 4

const Options = ({ code, kind }: { readonly code: string | null; readonly kind: 'radio' | 'checkbox' }) => {
  const options = useDict(code ?? undefined)
  return (
    <div className="phone-options">
      {options.slice(0, shownOptions).map(option => (
        <span key={option.value} data-kind={kind}>
          {option.label}
        </span>
      ))}
      {options.length > shownOptions ? <span>…</span> : null}
    </div>
  )
}

/** A field as the portal draws it, without anything to type in. */
const PhoneField = ({ item }: { readonly item: SignItem }) => {
  const t = useT(examTexts)
  const lang = useLang()
  const label = (lang === 'en' && item.itemLabelEn) || item.itemLabel
  const help = (lang === 'en' && item.helpEn) || item.help
  const input = () => {
    switch (item.fieldType) {
      case 'radio':
      case 'checkbox':
        return <Options code={item.dictCode ?? null} kind={item.fieldType} />
      case 'textarea':
        return <div className="phone-input phone-area">{item.placeholder || t('preview.fill')}</div>
      case 'select':
      case 'cascader':
      case 'region':
      case 'school':
      case 'date':
      case 'month':
        return (
          <div className="phone-input">
            {item.placeholder || t('preview.choose')}
            <span>▾</span>
          </div>
        )
      case 'table':
        return <div className="phone-input phone-rows">+ {t('preview.rows')}</div>
      case 'signature':
        return <div className="phone-input phone-area">{t('preview.sign')}</div>
      case 'image':
        return <div className="phone-input phone-rows">+ {t('preview.upload')}</div>
      default:
        return <div className="phone-input">{item.placeholder || t('preview.fill')}</div>
    }
  }
  return (
    <div className="phone-field">
      <div className="phone-label">
        {item.required === 1 ? <b>*</b> : null}
        {label}
        {item.visibleWhen === null ? null : <small> {t('preview.when')}</small>}
      </div>
      {input()}
      {help ? <small>{help}</small> : null}
    </div>
  )
}

/** The sign-up form on a phone, drawn anew with every change of it. */
export const PhonePreview = ({
  name,
  items,
  files,
}: {
  readonly name: string
  readonly items: readonly SignItem[]
  readonly files: readonly SignFile[]
}) => {
  const t = useT(examTexts)
  const lang = useLang()
  const groups = [...new Set(items.map(item => item.groupName))]
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="phone" aria-label={t('preview.label')} tabIndex={0}>
      <header>{name || '—'}</header>
      {items.length === 0 && files.length === 0 ? <p>{t('preview.empty')}</p> : null}
      {groups.map(group => (
        <div key={group} className="phone-card">
          {group === '' ? null : <h3>{(lang === 'en' && items.find(item => item.groupName === group)?.groupNameEn) || group}</h3>}
          {items
            .filter(item => item.groupName === group)
            .map(item => (
              <PhoneField key={item.itemKey} item={item} />
            ))}
        </div>
      ))}
      {files.length === 0 ? null : (
        <div className="phone-card">
          <h3>{t('preview.files')}</h3>
          {files
            .filter(file => file.stage === 1)
            .map(file => (
              <div key={file.fileKey} className="phone-field">
                <div className="phone-label">
                  {file.required === 1 ? <b>*</b> : null}
                  {(lang === 'en' && file.fileLabelEn) || file.fileLabel}
                </div>
                <div className="phone-input phone-rows">+ {t('preview.upload')}</div>
                <small>
                  {file.accept.split(',').join(' / ')} · {sizeOf(file.maxKb * 1024)}
                </small>
              </div>
            ))}
        </div>
      )}
    </section>
  )
}
