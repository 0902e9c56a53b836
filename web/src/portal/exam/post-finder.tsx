import { useDeferredValue, useId, useState } from 'react'
import { yuanOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { useRead } from '../calls.ts'
import { Empty, Tag } from '../kit/blocks.tsx'
import { SelectField, TextField, Tick } from '../kit/field.tsx'
import { Load } from '../kit/load.tsx'
import { CheckIcon } from '../kit/page-icons.tsx'
import { Callout, Facts } from '../kit/page-ui.tsx'
import { Button } from '../kit/ui.tsx'
import { laterTexts } from '../later-texts.ts'
import type { PostNode, PostRow } from '../wire.ts'
import { examTexts } from './texts.ts'

const step = 20
const matchTone = { ok: 'success', warn: 'warning', no: 'danger' } as const

const typesOf = (tree: readonly PostNode[] | undefined, unit: string): readonly { value: string; label: string }[] => {
  const nodes = (tree ?? []).filter(node => unit === '' || node.value === unit).flatMap(node => node.children ?? [])
  return [...new Map(nodes.map(node => [node.value, { value: node.value, label: node.label }])).values()]
}

const PostCard = ({
  post,
  picked,
  onPick,
}: {
  readonly post: PostRow
  readonly picked: boolean
  readonly onPick?: (post: PostRow) => void
}) => {
  const t = useT(examTexts)
  const p = useT(laterTexts)
  const [open, setOpen] = useState(false)
  const bodyId = useId()
  const closed = post.postState === 2 || post.postState === 4
  return (
    <article className="p-card p-stack p-gap-s">
      <div className="p-row-between">
        <h3>
          {post.codeName} <span className="p-dim p-num">{post.code}</span>
        </h3>
        {post.match && <Tag tone={matchTone[post.match]}>{p(`match.${post.match}`)}</Tag>}
      </div>
      <p className="p-small p-soft">
        {post.unitName} · {post.typeName}
      </p>
      <div className="p-row p-small">
        <span className="p-strong">{t('exam.headcount', { count: post.curNum })}</span>
        {typeof post.signCount === 'number' && <span className="p-dim">{t('exam.signed', { count: post.signCount })}</span>}
        {typeof post.passCount === 'number' && <span className="p-dim">{t('exam.passed', { count: post.passCount })}</span>}
        {closed && <Tag tone="danger">{t(post.postState === 2 ? 'exam.cancelled' : 'exam.paused')}</Tag>}
      </div>
      {post.match && post.match !== 'ok' && post.reasons && post.reasons.length > 0 && (
        <Callout tone={matchTone[post.match]}>
          <ul className="p-plain">
            {post.reasons.map(reason => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
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
            { name: t('exam.condCert'), value: post.certText },
            { name: t('exam.condTitle'), value: post.titleText },
            { name: t('exam.condOther'), value: post.otherText },
            { name: t('exam.condLevel'), value: post.postLevel },
            { name: t('exam.condFee'), value: post.fee ? p('money.yuan', { amount: yuanOf(post.fee) }) : null },
            { name: t('exam.condPhone'), value: post.phone ? <a href={`tel:${post.phone}`}>{post.phone}</a> : null },
          ]}
        />
      </div>
      <div className="p-row">
        <Button look="text" aria-expanded={open} aria-controls={bodyId} onClick={() => setOpen(!open)}>
          {t(open ? 'action.fold' : 'exam.conditions')}
        </Button>
        {onPick !== undefined && (
          <Button look={picked ? undefined : 'primary'} disabled={closed} aria-pressed={picked} onClick={() => onPick(post)}>
            {picked && <CheckIcon size={18} />}
            {t(picked ? 'exam.picked' : 'exam.pick')}
          </Button>
        )}
      </div>
    </article>
  )
}

/** Posts of an exam with filters; "only posts I qualify for" has the server compare each condition and say why not. */
export const PostFinder = ({
  examId,
  picked,
  without,
  onPick,
}: {
  readonly examId: string
  readonly picked?: string
  /** A post that may not be chosen here, as the first choice beside the second. */
  readonly without?: string
  readonly onPick?: (post: PostRow) => void
}) => {
  const t = useT(examTexts)
  const [typed, setTyped] = useState('')
  const [unit, setUnit] = useState('')
  const [type, setType] = useState('')
  const [fit, setFit] = useState(false)
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
      ...(fit ? { onlyFit: 1 as const } : {}),
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
    setFit(false)
    setSize(step)
  }
  return (
    <div className="p-stack">
      <search className="p-stack">
        <TextField
          label={<span className="p-hidden">{t('exam.postSearch')}</span>}
          type="search"
          placeholder={t('exam.postSearch')}
          value={typed}
          onChange={event => change(setTyped)(event.target.value)}
          enterKeyHint="search"
        />
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
        <Tick
          checked={fit}
          onChange={value => {
            setFit(value)
            setSize(step)
          }}
        >
          {t('exam.fit')}
          <span className="p-help" style={{ display: 'block' }}>
            {t('exam.fitHint')}
          </span>
        </Tick>
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
                rows.map(post => <PostCard key={post.code} post={post} picked={post.code === picked} onPick={onPick} />)
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
