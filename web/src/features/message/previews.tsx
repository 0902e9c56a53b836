import { channels } from '#contract/message/send.resources.ts'
import type { ApiOutput } from '#web/kernel/api.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { useCall } from '#web/kernel/query.ts'
import { Loaded } from '#web/ui/states.tsx'
import { sendTexts } from './texts.ts'

type Preview = Omit<ApiOutput<'POST /blade-send/send/draft'>['previews'][number], 'contentEn'> & { readonly contentEn?: string }

/** Some messages as their readers will have them, each text by the way it goes. */
export const Previews = ({ previews, channel }: { readonly previews: readonly Preview[]; readonly channel: number }) => {
  const t = useT(sendTexts)
  const label = useLabel()
  const way = label(channels[channel as keyof typeof channels])
  return (
    <ul className="send-preview">
      {previews.map(one => (
        <li key={`${one.phoneMask} ${one.content}`} className="card send-message">
          <p>
            <small>{t('wizard.preview.of', { name: one.name, phone: one.phoneMask, segs: one.segs })}</small>
          </p>
          <p>{t('wizard.preview.text', { channel: way, text: one.content })}</p>
          {!one.contentEn || channel === 1 ? null : <p lang="en">{t('wizard.preview.english', { text: one.contentEn })}</p>}
        </li>
      ))}
    </ul>
  )
}

const shownRows = 3
/** The same of a task that is written already. */
export const SentPreviews = ({ sendId, channel }: { readonly sendId: string; readonly channel: number }) => {
  const messages = useCall('GET /blade-send/send/getMessages', { sendId, size: shownRows })
  return <Loaded query={messages}>{({ records }) => <Previews previews={records} channel={channel} />}</Loaded>
}
