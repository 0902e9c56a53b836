import { ListsPage } from './lists-page.tsx'

export const Page = () => <ListsPage direction="vertical" />
