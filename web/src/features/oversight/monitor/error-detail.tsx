import { useT } from '#web/kernel/i18n/index.ts'
import { useCall } from '#web/kernel/query.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { Loaded } from '#web/ui/states.tsx'
import { logTexts } from './log-texts.ts'
import { monitorTexts } from './texts.ts'

export const sources = ['browser', 'server'] as const
export const sourceOf = (source: string) => (source === 'server' ? 'server' : 'browser')

export const ErrorDetail = ({
  id,
  ofTenant,
  onClose,
}: {
  readonly id: string
  readonly ofTenant?: string
  readonly onClose: () => void
}) => {
  const t = useT(monitorTexts)
  const l = useT(logTexts)
  const found = useCall('GET /blade-log/error/detail', { id, ...(ofTenant ? { ofTenant } : {}) })
  return (
    <ActionDialog title={t('error.view')} size="drawer" onClose={onClose}>
      <Loaded query={found} skeletonRows={8}>
        {of => (
          <Facts
            items={[
              { key: 'time', label: t('col.time'), value: of.createTime },
              { key: 'account', label: t('col.account'), value: of.account },
              { key: 'source', label: t('error.source'), value: t(`error.source.${sourceOf(of.source)}`) },
              { key: 'kind', label: t('error.kind'), value: of.kind },
              { key: 'message', label: t('error.message'), value: <pre className="log-text">{of.message}</pre> },
              { key: 'uri', label: t('error.uri'), value: `${of.method} ${of.requestUri}` },
              { key: 'place', label: l('error.place'), value: of.fileName === '' ? '' : `${of.fileName}:${of.lineNumber}` },
              { key: 'times', label: l('error.times'), value: String(of.occurrences) },
              { key: 'stack', label: t('error.stack'), value: <pre className="log-text">{of.stackTrace}</pre> },
              { key: 'info', label: t('error.info'), value: <pre className="log-text">{of.info}</pre> },
              { key: 'clientTime', label: t('error.clientTime'), value: of.clientTime },
              { key: 'ip', label: t('col.ip'), value: of.remoteIp },
              { key: 'agent', label: t('col.agent'), value: of.userAgent },
              { key: 'trace', label: t('col.trace'), value: of.traceId },
              { key: 'digest', label: l('error.digest'), value: of.digest },
            ]}
          />
        )}
      </Loaded>
    </ActionDialog>
  )
}
