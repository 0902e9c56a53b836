import { useT } from '#web/kernel/i18n/index.ts'
import { usePage } from '#web/shell/page-context.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { workTexts } from './texts.ts'
import { WorkListPage } from './work-list.tsx'
import '../flow.css'

/** What I dealt with, and what others let me look at. */
export const Page = () => {
  const t = useT(workTexts)
  const { search, setSearch } = usePage()
  const list = search.get('of') === 'copy' ? 'copy' : 'done'
  const choose = (of: 'done' | 'copy') => (
    <button
      type="button"
      className="button button-small"
      aria-pressed={list === of}
      onClick={() => setSearch({ of: of === 'copy' ? 'copy' : null })}
    >
      {t(of === 'copy' ? 'done.copies' : 'done.mine')}
    </button>
  )
  return (
    <WorkListPage
      key={list}
      list={list}
      title={t('done.title')}
      empty={<EmptyState text={t(list === 'copy' ? 'done.copies.empty' : 'done.empty')} />}
      above={
        <div className="flow-bar">
          {choose('done')}
          {choose('copy')}
        </div>
      }
    />
  )
}
