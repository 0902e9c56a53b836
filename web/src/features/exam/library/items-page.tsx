import { LibraryPage } from './library-page.tsx'

export const Page = () => <LibraryPage menuPath="/exam/items" />
