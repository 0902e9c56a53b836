import { lazy, Suspense, useState } from 'react'
import { regionKey } from '#contract/signup/region.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { FieldSet, ReadField } from '../kit/field.tsx'
import { Callout } from '../kit/page-ui.tsx'
import { Sheet } from '../kit/sheet.tsx'
import { Button, Skeleton } from '../kit/ui.tsx'
import type { SignupForm } from '../wire.ts'
import { isReadOnly, type PickedPost } from './model.ts'
import { RegionField, RegionText } from './region-field.tsx'
import { change, type FormStore, problemOf, setProblems } from './store.ts'
import { formTexts } from './texts.ts'

/** Comes when a post is to be picked; most come with one. */
const PostFinder = lazy(async () => ({ default: (await import('../exam/post-finder.tsx')).PostFinder }))

const PostLine = ({ post }: { readonly post: PickedPost | null }) => {
  const t = useT(formTexts)
  return post === null ? (
    <p className="p-dim">{t('form.post.none')}</p>
  ) : (
    <div className="p-read">
      <strong className="p-soft">
        {post.codeName} {post.code !== post.codeName && <span className="p-num">{post.code}</span>}
      </strong>
      <br />
      <span className="p-small">{[post.unitName, post.typeName].filter(Boolean).join(' · ')}</span>
    </div>
  )
}

/** First step: the post, the second choice where the exam has one, and the region the exam asks for. */
export const PostStep = ({
  form,
  store,
  onPick,
  locked,
  advice,
  regionLocked,
  regionAdvice,
}: {
  readonly form: SignupForm
  readonly store: FormStore
  /** A post was chosen: the server is asked what it asks for. */
  readonly onPick: () => void
  readonly locked: boolean
  readonly advice?: string | undefined
  readonly regionLocked: boolean
  readonly regionAdvice?: string | undefined
}) => {
  const t = useT(formTexts)
  const { values, problems, judged } = store()
  const { province, city, area } = values
  const region = { province, city, area }
  const isRegionDemanded = judged.demanded.includes(regionKey)
  const [picking, setPicking] = useState<'post' | 'post2' | null>(null)
  const pick = (key: 'post' | 'post2', post: PickedPost | null) => {
    change(store, { [key]: post, ...(key === 'post' && post !== null && values.post2?.code === post.code ? { post2: null } : {}) })
    setProblems(store, [], one => one === 'post')
    setPicking(null)
    onPick()
  }
  return (
    <div className="p-stack p-gap-l">
      {advice !== undefined && <Callout tone="warning">{t('form.fix.advice', { advice })}</Callout>}
      <div className="p-card" data-field="post" tabIndex={-1}>
        <FieldSet
          label={t('form.post.first')}
          required
          error={problemOf(problems, 'post')}
          help={locked && !isReadOnly(form) ? t('form.fix.locked') : undefined}
        >
          <PostLine post={values.post} />
          {!locked && (
            <Button look={values.post === null ? 'primary' : undefined} block onClick={() => setPicking('post')}>
              {t(values.post === null ? 'form.post.choose' : 'form.post.change')}
            </Button>
          )}
        </FieldSet>
      </div>
      {Boolean(form.exam.allowSecond) && (
        <div className="p-card">
          <FieldSet label={t('form.post.second')}>
            <PostLine post={values.post2} />
            {!locked && (
              <div className="p-row">
                <Button onClick={() => setPicking('post2')}>{t(values.post2 === null ? 'form.post.choose' : 'form.post.change')}</Button>
                {values.post2 !== null && (
                  <Button look="text" onClick={() => pick('post2', null)}>
                    {t('form.post.clear')}
                  </Button>
                )}
              </div>
            )}
          </FieldSet>
        </div>
      )}
      {form.asksRegion && (
        <div className="p-card" data-field={regionKey}>
          {regionLocked ? (
            <ReadField label={form.exam.regionLabel} value={<RegionText {...region} />} />
          ) : (
            <RegionField
              label={form.exam.regionLabel}
              required={isRegionDemanded}
              showOptional={!isRegionDemanded}
              {...region}
              error={problemOf(problems, regionKey)}
              help={regionAdvice === undefined ? undefined : t('form.fix.advice', { advice: regionAdvice })}
              onChange={next => {
                change(store, next)
                setProblems(store, [], one => one === regionKey)
              }}
            />
          )}
        </div>
      )}
      {picking !== null && (
        <Sheet title={t('form.post.pickTitle')} wide onClose={() => setPicking(null)}>
          <Suspense fallback={<Skeleton />}>
            <PostFinder
              examId={form.exam.id}
              picked={values[picking]?.code}
              without={picking === 'post2' ? values.post?.code : undefined}
              onPick={post => pick(picking, { code: post.code, codeName: post.codeName, unitName: post.unitName, typeName: post.typeName })}
            />
          </Suspense>
        </Sheet>
      )}
    </div>
  )
}
