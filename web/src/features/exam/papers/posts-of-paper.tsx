import { useT } from '#web/kernel/i18n/index.ts'
import { useCan } from '#web/kernel/permission.ts'
import { goTo } from '#web/shell/go.ts'
import { examTexts } from '../texts.ts'

const shown = 8

/** The posts that sit a paper, and the way to where that is set. */
export const PostsOfPaper = ({ codes, examId }: { readonly codes: unknown; readonly examId: string | null }) => {
  const t = useT(examTexts)
  const can = useCan()
  const all = Array.isArray(codes) ? codes.map(String) : []
  const named = all.slice(0, shown).join(t('papers.comma'))
  return (
    <>
      {all.length === 0 ? t('papers.noPosts') : all.length > shown ? t('papers.morePosts', { named, count: all.length }) : named}{' '}
      {examId !== null && can('typecode_view') ? (
        <button type="button" className="link-button" onClick={() => goTo(`/exam/typeCode?examId=${examId}`)}>
          {t('papers.setPosts')}
        </button>
      ) : null}
    </>
  )
}
