import { lazy, Suspense, useCallback, useMemo, useState } from 'react'
import { auditDeeds, auditEntities, auditWords, deedWords, entityWords } from '#contract/log/audit-words.ts'
import { measureLabels, type TrailMeasure, trailMeasures } from '#contract/oversight/measure.ts'
import { printedWords } from '#contract/ticket/printed-words.ts'
import type { ApiOutput } from '#web/kernel/api.ts'
import { type Label, useLabel, useT } from '#web/kernel/i18n/index.ts'
import { useCall } from '#web/kernel/query.ts'
import { CrudPage } from '#web/resource/crud-page.tsx'
import { useReason } from '#web/resource/own-reason.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import type { Column, RowAction } from '#web/ui/data-table.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { EmptyState, Loaded } from '#web/ui/states.tsx'
import { StatusTag } from '#web/ui/status-tag.tsx'
import { rowId, timeField, useLoad } from './load.ts'
import { monitorTexts } from './texts.ts'
import { useExport } from './use-export.tsx'
import './monitor.css'

// Values before and after are looked at line by line: the list does without.
const AuditChange = lazy(async () => ({ default: (await import('./audit-change.tsx')).AuditChange }))

type Row = ApiOutput<'GET /blade-log/audit/list'>['records'][number]
type Kind = 'staff' | 'candidate' | 'system' | 'platform'
const rowName = (row: Row) => row.action
const trailKinds = Object.keys(trailMeasures) as TrailMeasure[]

/** The code of an action in words; a code that has none stands as it is. */
const useWords = () => {
  const label = useLabel()
  return useCallback(
    (action: string): string => {
      const words = auditWords(action)
      return words === null ? action : label(words)
    },
    [label],
  )
}

/** Choices in words, sorted by them; of those with the same words each is told apart by its code. */
const useChoices = (values: readonly string[], wordsOf: (value: string) => Label | null) => {
  const label = useLabel()
  return useMemo(() => {
    const said = values.map(value => ({ value, words: label(wordsOf(value) ?? { zh: value, en: value }) }))
    return said
      .map(({ value, words }) => ({
        value,
        label: said.some(other => other.words === words && other.value !== value) ? `${words} (${value})` : words,
      }))
      .sort((a, b) => a.label.localeCompare(b.label, 'zh'))
  }, [label, values, wordsOf])
}

/** What a line is about: the noun in words, and its number. */
const useEntity = () => {
  const label = useLabel()
  return useCallback(
    ({ entity, entityId }: Pick<Row, 'entity' | 'entityId'>): string => {
      const words = entityWords(entity)
      return `${words === null ? entity : label(words)} ${entityId}`.trim()
    },
    [label],
  )
}

const useActor = () => {
  const t = useT(monitorTexts)
  return useCallback(
    (row: Pick<Row, 'realName' | 'account' | 'actorKind'>) => row.realName || row.account || t(`audit.actor.${row.actorKind as Kind}`),
    [t],
  )
}

const Detail = ({ id, onClose }: { readonly id: string; readonly onClose: () => void }) => {
  const t = useT(monitorTexts)
  const actor = useActor()
  const words = useWords()
  const label = useLabel()
  const entity = useEntity()
  const reason = useReason()
  const line = useCall('GET /blade-log/audit/detail', { id })
  return (
    <ActionDialog title={t('audit.view')} size="two" onClose={onClose}>
      <Loaded query={line} skeletonRows={8}>
        {of => (
          <div className="audit-line">
            <Facts
              items={[
                { key: 'time', label: t('col.time'), value: of.createTime },
                { key: 'actor', label: t('audit.actor'), value: `${actor(of)} ${of.account}` },
                { key: 'action', label: t('audit.action'), value: `${words(of.action)} (${of.action})` },
                ...(of.printed === null ? [] : [{ key: 'printed', label: t('audit.printed'), value: label(printedWords(of.printed)) }]),
                { key: 'entity', label: t('audit.entity'), value: entity(of) },
                { key: 'reason', label: t('lock.reason'), value: reason(of.reason) },
              ]}
            />
            <Suspense fallback={null}>
              <AuditChange entity={of.entity} before={of.before} after={of.after} />
            </Suspense>
            <Facts
              items={[
                { key: 'ip', label: t('col.ip'), value: of.remoteIp },
                { key: 'agent', label: t('col.agent'), value: of.userAgent },
                { key: 'trace', label: t('col.trace'), value: of.traceId },
                { key: 'chain', label: t('audit.chain'), value: of.seq === null ? t('audit.waiting') : t('audit.sealed', { seq: of.seq }) },
                { key: 'sealTime', label: t('audit.sealTime'), value: of.sealTime },
                { key: 'hash', label: t('audit.hash'), value: <code className="log-hash">{of.chainHash}</code> },
              ]}
            />
          </div>
        )}
      </Loaded>
    </ActionDialog>
  )
}

/** The audit trail: who did what to what, and whether the line is in the signed chain. */
export const Page = () => {
  const t = useT(monitorTexts)
  const actor = useActor()
  const words = useWords()
  const label = useLabel()
  const entity = useEntity()
  const entities = useChoices(auditEntities, entityWords)
  const deeds = useChoices(auditDeeds, deedWords)
  const reason = useReason()
  const load = useLoad<Row>('/blade-log/audit/list')
  const [viewed, setViewed] = useState<string | null>(null)
  const exports = useExport('/blade-log/audit/export', 'auditlog_export', t('audit.title'))
  const columns = useMemo(
    (): readonly Column<Row>[] => [
      { key: 'createTime', title: t('col.time'), cell: row => row.createTime },
      { key: 'actor', title: t('audit.actor'), cell: actor },
      {
        key: 'words',
        title: t('audit.action'),
        width: 180,
        cell: row => [words(row.action), ...(row.printed === null ? [] : [label(printedWords(row.printed))])].join(' · '),
      },
      { key: 'action', title: t('audit.code'), width: 180, cell: row => <span translate="no">{row.action}</span> },
      { key: 'entity', title: t('audit.entity'), width: 220, cell: entity },
      {
        key: 'seq',
        title: t('audit.chain'),
        cell: row =>
          row.seq === null ? (
            <StatusTag tone="waiting" text={t('audit.waiting')} />
          ) : (
            <StatusTag tone="passed" text={t('audit.sealed', { seq: row.seq })} />
          ),
      },
      { key: 'reason', title: t('lock.reason'), hidden: true, cell: row => reason(row.reason) },
      { key: 'remoteIp', title: t('col.ip'), hidden: true, cell: row => row.remoteIp },
      { key: 'traceId', title: t('col.trace'), hidden: true, cell: row => row.traceId },
    ],
    [t, actor, words, entity, reason, label],
  )
  const actions = useCallback(
    (row: Row): readonly RowAction[] => [{ key: 'view', label: t('action.view'), onRun: () => setViewed(row.id) }],
    [t],
  )
  return (
    <>
      <CrudPage<Row>
        name="audit-log"
        title={t('audit.title')}
        columns={columns}
        search={[
          { kind: 'text', key: 'account', label: t('audit.person') },
          { kind: 'select', key: 'deed', label: t('audit.action'), options: deeds },
          timeField(t('col.time')),
          { kind: 'select', key: 'entity', label: t('audit.entity'), options: entities },
          { kind: 'text', key: 'action', label: t('audit.code') },
          { kind: 'text', key: 'entityId', label: t('audit.entityId') },
          { kind: 'text', key: 'remoteIp', label: t('col.ip') },
          { kind: 'text', key: 'keyword', label: t('audit.keyword') },
          { kind: 'text', key: 'userId', label: t('audit.userId') },
          { kind: 'text', key: 'traceId', label: t('col.trace') },
          {
            kind: 'select',
            key: 'measure',
            label: t('audit.measure'),
            options: trailKinds.map(measure => ({ value: measure, label: label(measureLabels[measure]) })),
          },
          { kind: 'select', key: 'changes', label: t('audit.changes'), options: [{ value: '1', label: t('form.yes') }] },
        ]}
        isLong
        load={load}
        rowId={rowId}
        rowName={rowName}
        rowActions={actions}
        {...exports}
        empty={<EmptyState text={t('audit.empty')} />}
      />
      {viewed === null ? null : <Detail id={viewed} onClose={() => setViewed(null)} />}
    </>
  )
}
