import { storageKind } from '#contract/file/storage-kind.ts'
import type { DemoPictures } from './pictures.ts'
import type { RowBook } from './rows.ts'
import type { Staff } from './stage.ts'

/** What the storage of the demo is, and files that its staff share. */
export const addStorage = (
  book: RowBook,
  nextId: () => string,
  { pictures, by, at }: { readonly pictures: DemoPictures; readonly by: Staff; readonly at: Date },
): void => {
  const made = { created_by: by.id, created_at: at, updated_by: by.id, updated_at: at }
  book.add('oss', {
    id: nextId(),
    category: storageKind.local,
    oss_code: 'local',
    remark: '本机加密磁盘',
    status: 2,
    ...made,
  })
  const { agreeLetter, diploma } = pictures.documents
  for (const [bytes, name] of [
    [agreeLetter, '单位同意报考证明（样张）.pdf'],
    [diploma, '毕业证书（拍照样张）.jpg'],
  ] as const) {
    const [id, fileId] = [nextId(), nextId()]
    book.add('stored_file', {
      id: fileId,
      user_id: by.id,
      purpose: 'attach',
      name,
      ext: bytes.ext,
      mime: bytes.mime,
      size_bytes: bytes.sizeBytes,
      sha256: bytes.sha256,
      storage_key: bytes.storageKey,
      owner_kind: 'attach',
      owner_id: id,
      created_at: at,
    })
    book.add('attach', {
      id,
      original_name: name,
      name: `${fileId}.${bytes.ext}`,
      extension: bytes.ext,
      attach_size: bytes.sizeBytes,
      file_id: fileId,
      uploader: by.name,
      ...made,
    })
  }
}
