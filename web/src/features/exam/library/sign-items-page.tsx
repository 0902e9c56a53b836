import { ExamNounPage } from './exam-noun-page.tsx'

export const Page = () => <ExamNounPage menuPath="/exam/signitems" />
