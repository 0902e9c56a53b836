import { expect, test } from 'vitest'
import { readJdbcUrl } from './jdbc-url.ts'

test('[21.9] the address of a data source says its kind, host, port and name', () => {
  const parts = (kind: string, port: number, databaseName = 'stat') => ({ kind, host: 'db.example.org', port, databaseName })
  expect(readJdbcUrl('jdbc:mysql://db.example.org:3307/stat?useSSL=false&serverTimezone=GMT%2B8')).toEqual(parts('mysql', 3307))
  expect(readJdbcUrl(' jdbc:postgresql://db.example.org/stat ')).toEqual(parts('postgresql', 5432))
  expect(readJdbcUrl('jdbc:oracle:thin:@db.example.org:1521:ORCL')).toEqual(parts('oracle', 1521, 'ORCL'))
  expect(readJdbcUrl('jdbc:oracle:thin:@//db.example.org:1522/ORCL')).toEqual(parts('oracle', 1522, 'ORCL'))
  expect(readJdbcUrl('jdbc:sqlserver://db.example.org;DatabaseName=stat;encrypt=true')).toEqual(parts('sqlserver', 1433))
  expect(readJdbcUrl('jdbc:dm://db.example.org:5237/stat')).toEqual(parts('dameng', 5237))
  expect(readJdbcUrl('jdbc:kingbase8://db.example.org/stat')).toEqual(parts('kingbase', 54321))
  for (const wrong of ['jdbc:h2:file:/etc/passwd', 'mysql://db/stat', 'jdbc:mysql://db.example.org:3306/', 'jdbc:mysql://a b/stat', ''])
    expect(readJdbcUrl(wrong)).toBeUndefined()
})
