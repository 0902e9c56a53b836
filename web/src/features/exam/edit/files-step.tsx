import { isNeededPortrait } from '#contract/exam/released.ts'
import { sizeOf } from '#web/kernel/format.ts'
import { useLang, useT } from '#web/kernel/i18n/index.ts'
import { EmptyState, Loaded } from '#web/ui/states.tsx'
import { useLibraryFiles } from '../calls.ts'
import { editTexts } from '../texts-edit.ts'
import type { SignFile } from '../wire.ts'
import { ChosenList, LibraryList } from './chosen-list.tsx'
import { fileOf } from './draft.ts'
import { OptionalText } from './optional-text.tsx'
import { PhonePreview } from './phone-preview.tsx'
import type { StepProps } from './step-props.ts'
import { WhenEditor } from './when-editor.tsx'

/** The files an examination asks for. */
export const FilesStep = ({ draft, onChange }: StepProps) => {
  const t = useT(editTexts)
  const lang = useLang()
  const library = useLibraryFiles()
  const files = draft.signfiles
  const set = (signfiles: readonly SignFile[]) => onChange({ signfiles })
  const portraits = files.filter(isNeededPortrait)
  // The only portrait stays; where there are two, either may go.
  const stays = (file: SignFile) => (draft.state !== 0 && portraits.length === 1 && portraits[0] === file ? t('files.needed') : null)
  const nameOf = (file: { readonly fileLabel: string; readonly fileLabelEn?: string | null }) =>
    (lang === 'en' && file.fileLabelEn) || file.fileLabel
  const limitsOf = (file: { readonly accept: string; readonly maxKb: number; readonly maxCount: number }) =>
    t('files.limits', { accept: file.accept.split(',').join(' / '), max: sizeOf(file.maxKb * 1024), count: file.maxCount })
  return (
    <Loaded query={library}>
      {({ records }) => (
        <div className="builder">
          <LibraryList
            title={t('files.library')}
            searchLabel={t('files.search')}
            noneText={t('files.none')}
            entries={records.filter(entry => entry.status !== 0 && !files.some(file => file.fileKey === entry.fileKey))}
            keyOf={entry => entry.fileKey}
            nameOf={nameOf}
            detailOf={entry => sizeOf(entry.maxKb * 1024)}
            onAdd={entry => set([...files, fileOf(entry)])}
          />
          <section className="card builder-chosen" aria-label={t('files.chosen', { count: files.length })}>
            <h2>{t('files.chosen', { count: files.length })}</h2>
            {files.length === 0 ? (
              <EmptyState text={t('files.empty')} />
            ) : (
              <ChosenList
                entries={files}
                keyOf={file => file.fileKey}
                nameOf={nameOf}
                onChange={set}
                stays={stays}
                line={(file, change) => (
                  <>
                    <select
                      className="input chosen-group"
                      aria-label={`${t('files.stage')}: ${nameOf(file)}`}
                      value={file.stage}
                      disabled={stays(file) !== null}
                      onChange={event => change({ stage: Number(event.target.value) })}
                    >
                      <option value={1}>{t('files.stage.1')}</option>
                      <option value={2}>{t('files.stage.2')}</option>
                    </select>
                    <label className="exam-check">
                      <input
                        type="checkbox"
                        checked={file.required === 1}
                        disabled={stays(file) !== null}
                        onChange={event => change({ required: event.target.checked ? 1 : 0 })}
                      />
                      {t('fields.required')}
                    </label>
                  </>
                )}
                more={(file, change) => (
                  <>
                    <span className="exam-help">{limitsOf(file)}</span>
                    <OptionalText label={t('fields.help')} most={300} value={file.help} onChange={help => change({ help })} />
                    <OptionalText label={t('fields.helpEn')} most={600} value={file.helpEn} onChange={helpEn => change({ helpEn })} />
                    {stays(file) !== null ? null : (
                      <WhenEditor
                        value={file.visibleWhen}
                        items={draft.signitems}
                        own={null}
                        onChange={visibleWhen => change({ visibleWhen })}
                      />
                    )}
                  </>
                )}
              />
            )}
          </section>
          <PhonePreview name={String(draft.values.examName ?? '')} items={[]} files={files} />
        </div>
      )}
    </Loaded>
  )
}
