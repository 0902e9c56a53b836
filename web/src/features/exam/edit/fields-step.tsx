import { useId } from 'react'
import { neededItems } from '#contract/exam/released.ts'
import { fitsTicket, mostOnTicket } from '#contract/exam/ticket-fields.ts'
import { useLabel, useLang, useT } from '#web/kernel/i18n/index.ts'
import { EmptyState, Loaded } from '#web/ui/states.tsx'
import { useLibraryItems } from '../calls.ts'
import { editTexts } from '../texts-edit.ts'
import type { SignItem } from '../wire.ts'
import { ChosenList, LibraryList } from './chosen-list.tsx'
import { commonItems, firstGroup, groupEnglish, groupsOf, withItem } from './draft.ts'
import { OptionalText } from './optional-text.tsx'
import { PhonePreview } from './phone-preview.tsx'
import type { StepProps } from './step-props.ts'
import { WhenEditor } from './when-editor.tsx'

const typeNames: Readonly<Record<string, { readonly zh: string; readonly en: string }>> = {
  text: { zh: '文本', en: 'text' },
  textarea: { zh: '多行文本', en: 'long text' },
  number: { zh: '数字', en: 'number' },
  date: { zh: '日期', en: 'date' },
  month: { zh: '年月', en: 'month' },
  select: { zh: '下拉', en: 'list' },
  radio: { zh: '单选', en: 'one of' },
  checkbox: { zh: '多选', en: 'some of' },
  cascader: { zh: '级联', en: 'levels' },
  region: { zh: '地区', en: 'region' },
  school: { zh: '院校', en: 'school' },
  major: { zh: '专业', en: 'major' },
  table: { zh: '表格', en: 'table' },
  image: { zh: '图片', en: 'image' },
  signature: { zh: '签名', en: 'signature' },
  idcard: { zh: '证件号', en: 'id card' },
  phone: { zh: '手机号', en: 'phone' },
}

const neededKeys: ReadonlySet<string> = new Set(neededItems.map(item => item.key))

const Flag = ({
  label,
  on,
  disabled = false,
  onChange,
}: {
  readonly label: string
  readonly on: boolean
  readonly disabled?: boolean
  readonly onChange: (on: boolean) => void
}) => (
  <label className="exam-check">
    <input type="checkbox" checked={on} disabled={disabled} onChange={event => onChange(event.target.checked)} />
    {label}
  </label>
)

/** The sign-up form: fields of the library in order, with a phone that shows them. */
export const FieldsStep = ({ draft, onChange }: StepProps) => {
  const t = useT(editTexts)
  const lang = useLang()
  const label = useLabel()
  const listId = useId()
  const library = useLibraryItems()
  const items = draft.signitems
  const set = (signitems: readonly SignItem[]) => onChange({ signitems })
  const has = (key: string) => items.some(item => item.itemKey === key)
  const stays = (item: SignItem) => (draft.state !== 0 && neededKeys.has(item.itemKey) ? t('fields.needed') : null)
  const groups = groupsOf(items)
  const englishOf = (group: string) => groupEnglish(items, group)
  const nameOf = (item: { readonly itemLabel: string; readonly itemLabelEn?: string | null }) =>
    (lang === 'en' && item.itemLabelEn) || item.itemLabel
  return (
    <Loaded query={library}>
      {({ records }) => (
        <div className="builder">
          <LibraryList
            title={t('fields.library')}
            searchLabel={t('fields.search')}
            noneText={t('fields.none')}
            entries={records.filter(entry => entry.status === 1 && !has(entry.itemKey))}
            keyOf={entry => entry.itemKey}
            nameOf={nameOf}
            detailOf={entry => {
              const name = typeNames[entry.fieldType]
              return name === undefined ? entry.fieldType : label(name)
            }}
            onAdd={entry => set(withItem(items, entry))}
          />
          <section className="card builder-chosen" aria-label={t('fields.chosen', { count: items.length })}>
            <h2>{t('fields.chosen', { count: items.length })}</h2>
            <datalist id={listId}>
              {groups.map(group => (
                <option key={group} value={group} />
              ))}
            </datalist>
            {items.length === 0 ? (
              <EmptyState
                text={t('fields.empty')}
                action={
                  <button type="button" className="button" onClick={() => set(commonItems(records, englishOf(firstGroup.zh)))}>
                    {t('fields.common')}
                  </button>
                }
              />
            ) : (
              <ChosenList
                entries={items}
                keyOf={item => item.itemKey}
                nameOf={nameOf}
                onChange={set}
                stays={stays}
                line={(item, change) => (
                  <>
                    <input
                      className="input chosen-group"
                      list={listId}
                      maxLength={20}
                      aria-label={`${t('fields.group')}: ${nameOf(item)}`}
                      value={item.groupName}
                      onChange={event => change({ groupName: event.target.value, groupNameEn: englishOf(event.target.value) })}
                    />
                    <Flag
                      label={t('fields.required')}
                      on={item.required === 1}
                      disabled={stays(item) !== null && item.required === 1}
                      onChange={on => change({ required: on ? 1 : 0 })}
                    />
                  </>
                )}
                more={(item, change) => (
                  <>
                    <OptionalText label={t('fields.help')} most={200} value={item.help} onChange={help => change({ help })} />
                    <OptionalText label={t('fields.helpEn')} most={400} value={item.helpEn} onChange={helpEn => change({ helpEn })} />
                    {item.groupName === '' ? null : (
                      <OptionalText
                        label={t('fields.groupEn', { group: item.groupName })}
                        most={40}
                        value={item.groupNameEn}
                        onChange={groupNameEn =>
                          set(items.map(each => (each.groupName === item.groupName ? { ...each, groupNameEn } : each)))
                        }
                      />
                    )}
                    {stays(item) !== null && item.visibleWhen === null ? null : (
                      <WhenEditor
                        value={item.visibleWhen}
                        items={items}
                        own={item.itemKey}
                        onChange={visibleWhen => change({ visibleWhen })}
                      />
                    )}
                    {fitsTicket(item) || item.useInTicket === 1 ? (
                      <Flag
                        label={t('fields.ticket', { most: mostOnTicket })}
                        on={item.useInTicket === 1}
                        onChange={on => change({ useInTicket: on ? 1 : 0 })}
                      />
                    ) : null}
                    <Flag label={t('fields.export')} on={item.useInExport === 1} onChange={on => change({ useInExport: on ? 1 : 0 })} />
                  </>
                )}
              />
            )}
          </section>
          <PhonePreview name={String(draft.values.examName ?? '')} items={items} files={[]} />
        </div>
      )}
    </Loaded>
  )
}
