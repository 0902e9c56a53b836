import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { examImports } from '#contract/exam/import-kinds.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { useCan } from '#web/kernel/permission.ts'
import { ImportRun } from '#web/resource/import-run.tsx'
import { goTo } from '#web/shell/go.ts'
import { EmptyState, Loaded } from '#web/ui/states.tsx'
import { postsOf } from '../calls.ts'
import { editTexts } from '../texts-edit.ts'
import { releaseCheckKey } from './findings.tsx'

const NewPost = lazy(async () => ({ default: (await import('../posts/new-post.tsx')).NewPost }))

const shown = 8

export const usePosts = (examId: string | null) =>
  useQuery({
    queryKey: ['exam-posts', examId],
    queryFn: ({ signal }) => postsOf(examId, signal),
    enabled: examId !== null,
  })

/** The post table of the examination: how much of it there is, and its import. */
export const PostsStep = ({
  examId,
  feeMode,
  onSave,
}: {
  readonly examId: string | null
  readonly feeMode: number
  readonly onSave: () => void
}) => {
  const t = useT(editTexts)
  const can = useCan()
  const client = useQueryClient()
  const [opened, setOpened] = useState<'import' | 'add' | null>(null)
  const posts = usePosts(examId)
  if (examId === null)
    return (
      <div className="card">
        <EmptyState
          text={t('posts.first')}
          action={
            <button type="button" className="button button-primary" onClick={onSave}>
              {t('edit.saveDraft')}
            </button>
          }
        />
      </div>
    )
  const refresh = () => {
    void client.invalidateQueries({ queryKey: ['exam-posts', examId] })
    void client.invalidateQueries({ queryKey: releaseCheckKey(examId) })
  }
  const buttons = (
    <div className="exam-buttons">
      {can('typecode_import') ? (
        <button type="button" className="button button-primary" onClick={() => setOpened('import')}>
          {t('posts.import')}
        </button>
      ) : null}
      {can('typecode_add') ? (
        <button type="button" className="button" onClick={() => setOpened('add')}>
          {t('posts.add')}
        </button>
      ) : null}
    </div>
  )
  return (
    <>
      <Loaded query={posts}>
        {page =>
          page.total === 0 ? (
            <div className="card">
              <EmptyState text={t('posts.none')} action={buttons} />
            </div>
          ) : (
            <section className="card exam-section">
              <div className="exam-section-head">
                <h2>{t('posts.count', { count: page.total, plan: page.records.reduce((sum, post) => sum + post.planNum, 0) })}</h2>
                <button type="button" className="button" onClick={() => goTo(`/exam/typeCode?examId=${examId}`)}>
                  {t('posts.open')}
                </button>
                {buttons}
              </div>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
              <section className="plain-table" aria-label={t('posts.open')} tabIndex={0}>
                <table>
                  <thead>
                    <tr>
                      {(['unit', 'type', 'code', 'name', 'plan'] as const).map(key => (
                        <th key={key} scope="col">
                          {t(`posts.${key}`)}
                        </th>
                      ))}
                    </tr>
                  </thead>
                  <tbody>
                    {page.records.slice(0, shown).map(post => (
                      <tr key={post.id}>
                        <td>{post.unitName}</td>
                        <td>{post.typeName}</td>
                        <td>{post.code}</td>
                        <td>{post.codeName}</td>
                        <td>{post.planNum}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </section>
            </section>
          )
        }
      </Loaded>
      {opened === 'add' ? (
        <Suspense>
          <NewPost
            examId={examId}
            feeMode={feeMode}
            onClose={() => {
              setOpened(null)
              refresh()
            }}
          />
        </Suspense>
      ) : null}
      {opened === 'import' ? (
        <ImportRun title={t('posts.import')} of={examImports.posts} fields={{ examId }} onClose={() => setOpened(null)} onDone={refresh} />
      ) : null}
    </>
  )
}
