import { defineErrors, refuserOf } from '../kernel/refusal.ts'

/** Storage of files, and what is shared as attachments. */
export const fileErrors = defineErrors({
  'file/address-not-allowed': {
    code: 400,
    status: 400,
    zh: '地址 {address} 不在允许之列，请联系运维人员在服务器设置 KAOPU_STORAGE_SERVERS 中加入后重试',
    en: 'The address {address} is not on the allow list; ask the operator to add it to the setting KAOPU_STORAGE_SERVERS',
  },
  'file/try-failed': {
    code: 2001,
    status: 409,
    zh: '存储“{code}”{why}',
    en: 'Storage “{code}”: {why}',
  },
  'file/storage-in-use': {
    code: 2001,
    status: 409,
    zh: '存储“{code}”中还有 {files} 个文件。请先启用其他存储并“迁移文件”，全部移走后再操作',
    en: 'Files still lie in the storage “{code}”: {files}. Switch another one on and “Move files” first, then try again',
  },
  'file/unknown-storage': {
    code: 400,
    status: 400,
    zh: '没有编号为“{code}”的存储',
    en: 'There is no storage with the code “{code}”',
  },
  'file/no-service': {
    code: 2001,
    status: 409,
    zh: '没有指定存储服务：请用资源编号指定，或先启用一个非本地的存储',
    en: 'No storage service is meant: name one by its code, or switch on one that is not the local server',
  },
  'file/bucket-used': {
    code: 2001,
    status: 409,
    zh: '存储“{code}”正在使用存储桶“{bucket}”，不能删除',
    en: 'The storage “{code}” uses the bucket “{bucket}”: it cannot be removed',
  },
  'file/nothing-to-move': {
    code: 2001,
    status: 409,
    zh: '所有文件都已在当前启用的存储中，无需迁移',
    en: 'All files lie where new ones go already: there is nothing to move',
  },
  'file/moving-already': {
    code: 2001,
    status: 409,
    zh: '文件正在迁移，请等它完成或先取消',
    en: 'Files are being moved: wait until that is done, or cancel it first',
  },
  'file/no-move': { code: 2001, status: 409, zh: '当前没有正在进行的迁移', en: 'No files are being moved' },
})
export const refuseFiles = refuserOf(fileErrors)
