export { listToPublish, notePublicity } from './data/publicity.repo.ts'
