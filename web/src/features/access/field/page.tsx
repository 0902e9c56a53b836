import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import type { RuledFactShown, RuledNounShown, RuledRole } from '#contract/access/field-rule.routes.ts'
import type { FieldLevel } from '#contract/kernel/field-rule.ts'
import { api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import { usePage } from '#web/shell/page-context.tsx'
import { confirm } from '#web/ui/dialog.tsx'
import { LabelledSelect } from '#web/ui/labelled.tsx'
import { Loaded } from '#web/ui/states.tsx'
import { useUnsaved } from '#web/ui/unsaved.ts'
import { changesOf, type Levels, levelsOf, rulesOf, withLevel } from './levels.ts'
import { FactTable, NounTable } from './noun-table.tsx'
import { fieldTexts } from './texts.ts'
import './field.css'

interface Drafted {
  readonly role: RuledRole
  readonly facts: readonly RuledFactShown[]
  readonly nouns: readonly RuledNounShown[]
  readonly readOnlyReason: string | null
  readonly draft: Levels | null
  readonly setDraft: (draft: Levels | null) => void
  readonly reload: () => Promise<unknown>
}

const Matrix = ({ role, facts, nouns, readOnlyReason, draft, setDraft, reload }: Drafted) => {
  const t = useT(fieldTexts)
  const [busy, setBusy] = useState(false)
  const saved = levelsOf(role.rules)
  const levels = draft ?? saved
  const count = changesOf(saved, levels)
  const { path } = usePage()
  useUnsaved(path, () => count > 0)
  const change = useCallback((at: string, level: FieldLevel) => setDraft(withLevel(levels, at, level)), [levels, setDraft])
  const save = async () => {
    if (busy || count === 0) return
    setBusy(true)
    try {
      await api.call('POST /blade-system/field-rule/submit', { roleId: role.id, rules: rulesOf(levels) })
      await reload()
      setDraft(null)
      notify('success', t('field.saved'))
    } catch {
      // The api client has said why; the draft stays.
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      {readOnlyReason === null ? null : <p className="field-readonly">{readOnlyReason}</p>}
      <FactTable
        key={`${role.id} facts`}
        facts={facts}
        levels={levels}
        saved={saved}
        readOnly={readOnlyReason !== null}
        onChange={change}
      />
      {nouns.map(noun => (
        <NounTable
          key={`${role.id} ${noun.code}`}
          noun={noun}
          levels={levels}
          saved={saved}
          readOnly={readOnlyReason !== null}
          onChange={change}
        />
      ))}
      {readOnlyReason === null ? (
        <div className="field-bar">
          <span role="status">{count === 0 ? t('field.same') : t('field.unsaved', { count })}</span>
          <button type="button" className="button" disabled={count === 0} onClick={() => setDraft(null)}>
            {t('field.reset')}
          </button>
          <button type="button" className="button button-primary" aria-disabled={busy || count === 0} onClick={() => void save()}>
            {t('action.save')}
          </button>
        </div>
      ) : null}
    </>
  )
}

/** Who sees how much of which fields, by role (ADR 0064). `?role=` opens one. */
export const Page = () => {
  const t = useT(fieldTexts)
  const can = useCan()
  const { search, setSearch } = usePage()
  const [draft, setDraft] = useState<Levels | null>(null)
  const query = useQuery({
    queryKey: ['field-rules'],
    queryFn: ({ signal }) => api.call('GET /blade-system/field-rule/list', {}, { signal }),
    staleTime: 0,
    refetchOnWindowFocus: false,
  })
  return (
    <div className="crud-page">
      <div className="page-head">
        <h1>{t('field.title')}</h1>
      </div>
      <p className="access-lead">{t('field.lead')}</p>
      <Loaded query={query} skeletonRows={8}>
        {({ facts, nouns, roles }) => {
          const mine = roles.find(role => role.readOnlyReason === null)
          const role = roles.find(one => one.id === search.get('role')) ?? mine ?? roles[0]
          if (role === undefined) return null
          const choose = async (id: string) => {
            const count = draft === null ? 0 : changesOf(levelsOf(role.rules), draft)
            const goes =
              count === 0 ||
              (await confirm({
                title: t('field.switch.title'),
                text: t('field.switch.text', { count }),
                ok: t('field.reset'),
                danger: true,
              }))
            if (!goes) return
            setDraft(null)
            setSearch({ role: id })
          }
          return (
            <>
              <LabelledSelect
                label={t('field.role')}
                value={role.id}
                options={roles.map(one => ({
                  value: one.id,
                  label: one.rules.length === 0 ? one.roleName : t('field.roleWith', { name: one.roleName, count: one.rules.length }),
                }))}
                onChange={id => void choose(id)}
              />
              <Matrix
                role={role}
                facts={facts}
                nouns={nouns}
                readOnlyReason={role.readOnlyReason ?? (can('fieldrule_edit') ? null : t('field.viewOnly'))}
                draft={draft}
                setDraft={setDraft}
                reload={query.refetch}
              />
            </>
          )
        }}
      </Loaded>
    </div>
  )
}
