import { lazy, Suspense, useDeferredValue, useId, useState } from 'react'
import { reasonsOf } from '#contract/signup/fit.ts'
import { yuanOf } from '#web/kernel/format.ts'
import { useLang, useT } from '#web/kernel/i18n/index.ts'
import { useSession } from '#web/kernel/session.ts'
import { useRead } from '../calls.ts'
import { useSearchParams } from '../kit/address.ts'
import { Empty, Tag } from '../kit/blocks.tsx'
import { SelectField, TextField } from '../kit/field.tsx'
import { Load } from '../kit/load.tsx'
import { CheckIcon } from '../kit/page-icons.tsx'
import { Callout, Facts } from '../kit/page-ui.tsx'
import { Button, ButtonLink } from '../kit/ui.tsx'
import { laterTexts } from '../later-texts.ts'
import type { PostNode, PostRow } from '../wire.ts'
import { examTexts } from './texts.ts'

const step = 20
const groupTone = { can: 'success', person: 'warning', cannot: 'danger' } as const
const groupText = { can: 'exam.can', person: 'exam.person', cannot: 'exam.cannot.post' } as const
const groups = ['can', 'person', 'cannot'] as const
const FactsPanel = lazy(async () => ({ default: (await import('./facts-panel.tsx')).FactsPanel }))

const typesOf = (tree: readonly PostNode[] | undefined, unit: string): readonly { value: string; label: string }[] => {
  const nodes = (tree ?? []).filter(node => unit === '' || node.value === unit).flatMap(node => node.children ?? [])
  return [...new Map(nodes.map(node => [node.value, { value: node.value, label: node.label }])).values()]
}

/** What is not asked for says nothing about a post. */
const isAny = (text: string): boolean => text === '不限' || text === 'Any'

const PostCard = ({
  post,
  examId,
  picked,
  applyAt,
  onPick,
}: {
  readonly post: PostRow
  readonly examId: string
  readonly picked: boolean
  readonly applyAt: string | undefined
  readonly onPick?: (post: PostRow) => void
}) => {
  const t = useT(examTexts)
  const p = useT(laterTexts)
  const lang = useLang()
  const tenantId = useSession(session => session.user?.tenantId ?? '')
  const [open, setOpen] = useState(false)
  const bodyId = useId()
  const closed = post.postState === 2 || post.postState === 4
  const reasons = post.group ? reasonsOf(post.group, post.checks ?? []) : []
  const isFor = !closed && post.bar === null && (post.group !== 'cannot' || post.mayInsist)
  return (
    <article className="p-card p-stack p-gap-s">
      <div className="p-row-between">
        <h3>
          {post.codeName} <span className="p-dim p-num">{post.code}</span>
        </h3>
        {post.group && <Tag tone={groupTone[post.group]}>{t(groupText[post.group])}</Tag>}
      </div>
      <p className="p-small p-soft">
        {post.unitName} · {post.typeName}
      </p>
      <div className="p-row p-small">
        <span className="p-strong">{t('exam.headcount', { count: post.curNum })}</span>
        {typeof post.signCount === 'number' && <span className="p-dim">{t('exam.signed', { count: post.signCount })}</span>}
        {typeof post.passCount === 'number' && <span className="p-dim">{t('exam.passed', { count: post.passCount })}</span>}
        {post.fee ? <span>{p('money.yuan', { amount: yuanOf(post.fee) })}</span> : null}
        {closed && <Tag tone="danger">{t(post.postState === 2 ? 'exam.cancelled' : 'exam.paused')}</Tag>}
        {post.bar === 'full' && <Tag tone="danger">{t('exam.full')}</Tag>}
      </div>
      <p className="p-small">
        {[post.educationText, post.degreeText, post.majorText, post.ageText, post.certText]
          .filter(text => text && !isAny(text))
          .join(' · ')}
      </p>
      {post.group && post.group !== 'can' && reasons.length > 0 && (
        <Callout tone={groupTone[post.group]}>
          <ul className="p-plain">
            {reasons.map(check => (
              <li key={check.rule}>{t(check.isSaid ? 'exam.reason' : 'exam.unsaid', check)}</li>
            ))}
          </ul>
          {post.mayInsist && <p className="p-small">{t('exam.insist')}</p>}
        </Callout>
      )}
      <div id={bodyId} hidden={!open}>
        <Facts
          facts={[
            { name: t('exam.condAge'), value: post.ageText },
            { name: t('exam.condSex'), value: post.sexText },
            { name: t('exam.condEducation'), value: post.educationText },
            { name: t('exam.condDegree'), value: post.degreeText },
            { name: t('exam.condMajor'), value: post.majorText },
            { name: t('exam.condFresh'), value: post.freshText },
            { name: t('exam.condPolitical'), value: post.politicalText },
            { name: t('exam.condHukou'), value: post.hukouText },
            { name: t('exam.condCert'), value: post.certText },
            { name: t('exam.condTitle'), value: post.titleText },
            { name: t('exam.condYears'), value: post.workYearsText },
            { name: t('exam.condOther'), value: post.otherText },
            { name: t('exam.condLevel'), value: post.postLevel },
            { name: t('exam.condFee'), value: post.fee ? p('money.yuan', { amount: yuanOf(post.fee) }) : null },
            { name: t('exam.condPhone'), value: post.phone ? <a href={`tel:${post.phone}`}>{post.phone}</a> : null },
          ]}
        />
        {/* A page of the server, not of this bundle: it opens for everybody it is sent to. */}
        <a href={`/open/${examId}/posts/${encodeURIComponent(post.code)}?${new URLSearchParams({ lang, tenantId })}`}>
          {t('exam.postPage')}
        </a>
      </div>
      <div className="p-row">
        <Button look="text" aria-expanded={open} aria-controls={bodyId} onClick={() => setOpen(!open)}>
          {t(open ? 'exam.fold' : 'exam.conditions')} <span className="p-hidden">{post.codeName}</span>
        </Button>
        {applyAt !== undefined && isFor && (
          <ButtonLink to={`${applyAt}?post=${encodeURIComponent(post.code)}`} look={post.group === 'can' ? 'primary' : undefined}>
            {t('exam.apply')} <span className="p-hidden">{post.codeName}</span>
          </ButtonLink>
        )}
        {onPick !== undefined && (
          <Button
            look={picked || post.group === 'cannot' ? undefined : 'primary'}
            disabled={closed}
            aria-pressed={picked}
            onClick={() => onPick(post)}
          >
            {picked && <CheckIcon size={18} />}
            {t(picked ? 'exam.picked' : 'exam.pick')}
          </Button>
        )}
      </div>
    </article>
  )
}

/** What is searched for: the page comes back to it by its address; a sheet over the form has none of its own. */
const useKept = (name: string, isPage: boolean) => {
  const [params, setParams] = useSearchParams()
  const [value, setValue] = useState(() => (isPage ? (params.get(name) ?? '') : ''))
  const set = (next: string) => {
    setValue(next)
    if (!isPage) return
    setParams(
      before => {
        if (next === '') before.delete(name)
        else before.set(name, next)
        return before
      },
      { replace: true },
    )
  }
  return [value, set] as const
}

/** Posts of an exam, sorted by the server into those one can apply for, those a person decides on and those one cannot, with reasons. */
export const PostFinder = ({
  examId,
  picked,
  without,
  applyAt,
  onPick,
}: {
  readonly examId: string
  /** Where the form is, of an examination that can be signed up for: each post leads there. */
  readonly applyAt?: string | undefined
  readonly picked?: string
  /** A post that may not be chosen here, as the first choice beside the second. */
  readonly without?: string
  readonly onPick?: (post: PostRow) => void
}) => {
  const t = useT(examTexts)
  const isPage = onPick === undefined
  const [typed, setTyped] = useKept('q', isPage)
  const [unit, setUnit] = useKept('unit', isPage)
  const [type, setType] = useKept('type', isPage)
  const [wanted, setGroup] = useKept('group', isPage)
  const group = groups.find(one => one === wanted) ?? ''
  const [size, setSize] = useState(step)
  const keyword = useDeferredValue(typed.trim())
  const tree = useRead('postTree', { examId }, { staleMs: 300_000 })
  const posts = useRead(
    'posts',
    {
      examId,
      current: 1,
      size,
      ...(keyword ? { keyword } : {}),
      ...(unit ? { unit } : {}),
      ...(type ? { type } : {}),
      ...(group ? { group } : {}),
    },
    { keep: true, staleMs: 30_000 },
  )
  const change = (set: (value: string) => void) => (value: string) => {
    set(value)
    setSize(step)
  }
  const clear = () => {
    setTyped('')
    setUnit('')
    setType('')
    setGroup('')
    setSize(step)
  }
  return (
    <div className="p-stack">
      {posts.data !== undefined && (
        <Suspense fallback={null}>
          <FactsPanel examId={examId} isOpen={isPage && posts.data.counts === null} />
        </Suspense>
      )}
      {posts.data?.counts && (
        <fieldset className="p-row p-plain" aria-label={t('exam.groups')}>
          {groups.map(one => (
            <Button
              key={one}
              look={group === one ? 'primary' : undefined}
              aria-pressed={group === one}
              onClick={() => {
                setGroup(group === one ? '' : one)
                setSize(step)
              }}
            >
              {t(groupText[one])} <span className="p-num">{posts.data?.counts?.[one]}</span>
            </Button>
          ))}
        </fieldset>
      )}
      <search className="p-stack">
        <TextField
          label={<span className="p-hidden">{t('exam.postSearch')}</span>}
          type="search"
          placeholder={t('exam.postSearch')}
          value={typed}
          onChange={event => change(setTyped)(event.target.value)}
          enterKeyHint="search"
        />
        <details className="p-fold" open={unit !== '' || type !== '' || undefined}>
          <summary>{t('exam.narrow')}</summary>
          <div className="p-form-grid">
            <SelectField
              label={t('exam.unit')}
              noneText={t('exam.all')}
              options={(tree.data ?? []).map(node => ({ value: node.value, label: node.label }))}
              value={unit}
              onChange={value => {
                change(setUnit)(value)
                setType('')
              }}
            />
            <SelectField
              label={t('exam.postType')}
              noneText={t('exam.all')}
              options={typesOf(tree.data, unit)}
              value={type}
              onChange={change(setType)}
            />
          </div>
        </details>
      </search>
      <Load query={posts} skeleton={[150, 150, 150]}>
        {page => {
          const rows = page.records.filter(post => post.code !== without)
          return (
            <>
              <p className="p-small p-dim" role="status">
                {t('exam.found', { count: page.total })}
              </p>
              {rows.length === 0 ? (
                <Empty text={t('exam.noPosts')} hint={t('exam.noPostsHint')}>
                  <Button onClick={clear}>{t('exam.clear')}</Button>
                </Empty>
              ) : (
                rows.map(post => (
                  <PostCard key={post.code} post={post} examId={examId} picked={post.code === picked} applyAt={applyAt} onPick={onPick} />
                ))
              )}
              {page.total > page.records.length && size < 200 && (
                <Button block busy={posts.isFetching} onClick={() => setSize(Math.min(200, size + step))}>
                  {t('exam.more')}
                </Button>
              )}
            </>
          )
        }}
      </Load>
    </div>
  )
}
