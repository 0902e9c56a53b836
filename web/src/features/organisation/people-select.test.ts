import { expect, test } from 'vitest'
import { peopleOptions } from './people-select.tsx'

const row = { id: '2', realName: '钱办事', account: 'qian' }

test('a person who was chosen is called by name, never by id, whether read, on the way or not to be seen', () => {
  const chosen = [
    { id: '11', row: { id: '11', realName: '孙办事', account: 'sun' }, isRead: true },
    { id: '12', row: undefined, isRead: false },
    { id: '13', row: undefined, isRead: true },
  ]
  expect(peopleOptions(chosen, [row], '已选（无权查看）')).toEqual([
    { value: '11', label: '孙办事 sun' },
    { value: '12', label: '…' },
    { value: '13', label: '已选（无权查看）' },
    { value: '2', label: '钱办事 qian' },
  ])
})
