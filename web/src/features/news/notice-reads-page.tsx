import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import { CrudPage, type ListQuery, listKey } from '#web/resource/crud-page.tsx'
import { ExportButtons } from '#web/resource/export-buttons.tsx'
import { startExport } from '#web/resource/export-jobs.ts'
import type { Column } from '#web/ui/data-table.tsx'
import { confirm } from '#web/ui/dialog.tsx'
import { LabelledSelect } from '#web/ui/labelled.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { newsTexts } from './texts.ts'
import { useAddressChoice } from './use-address-choice.ts'

type Row = ApiOutput<'GET /blade-noticeRead/noticeread/list'>['records'][number]
const name = 'notice-reads'
const none = { records: [], total: 0, current: 1, size: 10, pages: 0 }

/** Who has read a notice, and who has not (S7.26). */
export const Page = () => {
  const t = useT(newsTexts)
  const can = useCan()
  const client = useQueryClient()
  const [noticeId, setNoticeId] = useAddressChoice('noticeId')
  const notices = useQuery({
    queryKey: ['notices-to-read'],
    queryFn: ({ signal }) =>
      api.request<{
        records: {
          id: string
          title: string
          state: number
          needSure?: number | boolean
          addressees: number
          readCount: number
          sureCount: number
          textVersion: number
        }[]
      }>({
        method: 'GET',
        path: '/blade-desk/notice/list',
        query: { current: 1, size: 200 },
        quiet: true,
        signal,
      }),
    staleTime: 0,
  })
  const published = (notices.data?.records ?? []).filter(({ state }) => state !== 0)
  const chosen = published.find(({ id }) => id === noticeId)
  const [textVersion, setTextVersion] = useAddressChoice('textVersion')
  const present = chosen?.textVersion ?? 1
  const version = Number(textVersion) < present ? textVersion : ''
  const fixed = useMemo(() => ({ noticeId, ...(version === '' ? {} : { textVersion: version }) }), [noticeId, version])
  const columns = useMemo(
    (): readonly Column<Row>[] => [
      { key: 'realName', field: 'user.realName', title: t('read.name'), cell: row => row.realName },
      { key: 'account', title: t('read.account'), cell: row => row.account },
      { key: 'phone', field: 'user.phone', title: t('read.phone'), cell: row => row.phone },
      { key: 'readTime', title: t('read.at'), cell: row => (row.readTime === null ? t('read.not') : minuteOf(row.readTime)) },
      { key: 'sureTime', title: t('read.sureAt'), cell: row => (row.sureTime === null ? t('read.notSure') : minuteOf(row.sureTime)) },
    ],
    [t],
  )
  const load = useCallback(
    (query: ListQuery, signal: AbortSignal) =>
      noticeId === ''
        ? Promise.resolve(none)
        : api.request<ApiOutput<'GET /blade-noticeRead/noticeread/list'>>({
            method: 'GET',
            path: '/blade-noticeRead/noticeread/list',
            query: { ...query, ...fixed },
            quiet: true,
            signal,
          }),
    [noticeId, fixed],
  )
  const remind = async () => {
    const { title = '', needSure = 0, addressees = 0, readCount = 0, sureCount = 0 } = chosen ?? {}
    const count = addressees - (Number(needSure) === 1 ? sureCount : readCount)
    const text = t(Number(needSure) === 1 ? 'read.remind.askSure' : 'read.remind.ask', { title, count })
    if (!(await confirm({ title: t('read.remind'), text, ok: t('read.remind') }))) return
    try {
      const { people } = await api.call('POST /blade-noticeRead/noticeread/remind', { noticeId })
      notify('success', t('read.remind.done', { count: people }))
    } catch {
      // The api client has said why.
    }
    await client.invalidateQueries({ queryKey: listKey(name) })
  }
  return (
    <CrudPage<Row>
      name={name}
      title={t('read.title')}
      columns={columns}
      search={[
        {
          kind: 'select',
          key: 'state',
          label: t('read.state'),
          options: (['1', '2', '3', '4'] as const).map(value => ({ value, label: t(`read.only.${value}`) })),
        },
        { kind: 'text', key: 'keyword', field: 'user.realName', label: t('read.name') },
      ]}
      isLong
      fixed={fixed}
      load={load}
      rowId={row => row.id}
      rowName={row => row.realName}
      above={
        <div>
          <LabelledSelect
            label={t('read.notice')}
            value={noticeId}
            onChange={chosenId => {
              setTextVersion('')
              setNoticeId(chosenId)
            }}
            options={[{ value: '', label: t('read.choose') }, ...published.map(({ id, title }) => ({ value: id, label: title }))]}
          />
          {present === 1 ? null : (
            <LabelledSelect
              label={t('read.version')}
              value={version}
              onChange={setTextVersion}
              options={Array.from({ length: present }, (_, index) => {
                const number = present - index
                return number === present
                  ? { value: '', label: t('read.version.present', { number }) }
                  : { value: String(number), label: t('read.version.former', { number }) }
              })}
            />
          )}
          {chosen === undefined ? null : (
            <p role="status">
              {chosen.addressees === 0
                ? t('read.nobody')
                : t('read.counts', { people: chosen.addressees, read: chosen.readCount, sure: chosen.sureCount })}
            </p>
          )}
        </div>
      }
      empty={<EmptyState text={t(noticeId === '' ? 'read.choose' : 'read.none')} />}
      toolbar={({ query }) =>
        noticeId === '' ? null : (
          <>
            {can('noticeread_remind') && version === '' ? (
              <button type="button" className="button" onClick={() => void remind()}>
                {t('read.remind')}
              </button>
            ) : null}
            {can('noticeread_export') ? (
              <ExportButtons
                onExport={() =>
                  startExport(
                    { method: 'GET', path: '/blade-noticeRead/noticeread/export', query: { ...query, ...fixed } },
                    t('read.title'),
                  )
                }
              />
            ) : null}
          </>
        )
      }
    />
  )
}
