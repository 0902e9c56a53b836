import { expect, test } from 'vitest'
import type { Judged } from '../wire.ts'
import type { FormValues } from './model.ts'
import { change, newFormStore } from './store.ts'

const file = (fileKey: string, fileId: string) => ({ fileKey, fileId, link: '', name: fileId, sizeBytes: 1, mime: 'image/jpeg' })

test('a file that has come takes back what was told about it, and nothing that was told about another one', () => {
  const values = {
    content: {},
    files: [file('diploma', '1')],
    post: null,
    post2: null,
    province: '',
    city: '',
    area: '',
  } as unknown as FormValues
  const told = [
    { field: 'file:licence', msg: '请上传执业证' },
    { field: 'file:card', msg: '请上传身份证' },
  ]
  const store = newFormStore(values, { autoCheck: [], told, demanded: [] } as unknown as Judged, { edits: {}, conflicts: [] } as never)
  change(store, { files: [...values.files, file('card', '2')] })
  expect(store.getState().judged.told.map(one => one.field)).toEqual(['file:licence'])
  change(store, { area: '330106' })
  expect(store.getState().judged.told.map(one => one.field)).toEqual(['file:licence'])
})
