/** The parts of a data source that clients of the framework write as one address. */
export interface DatasourceParts {
  readonly kind: string
  readonly host: string
  readonly port: number
  readonly databaseName: string
}

const host = '(?<host>[A-Za-z0-9][A-Za-z0-9.-]*)'
const name = '(?<name>[A-Za-z0-9_]+)'
/** With the port that each has where none is named. What follows the database's name sets how a driver behaves; this program brings its own. */
const shapes: readonly (readonly [kind: string, port: number, shape: RegExp])[] = [
  ['postgresql', 5432, new RegExp(`^jdbc:postgresql://${host}(:(?<port>\\d{1,5}))?/${name}(\\?\\S*)?$`)],
  ['mysql', 3306, new RegExp(`^jdbc:mysql://${host}(:(?<port>\\d{1,5}))?/${name}(\\?\\S*)?$`)],
  ['oracle', 1521, new RegExp(`^jdbc:oracle:thin:@(//)?${host}(:(?<port>\\d{1,5}))?[:/]${name}$`)],
  ['sqlserver', 1433, new RegExp(`^jdbc:sqlserver://${host}(:(?<port>\\d{1,5}))?;databaseName=${name}(;\\S*)?$`, 'i')],
  ['dameng', 5236, new RegExp(`^jdbc:dm://${host}(:(?<port>\\d{1,5}))?/${name}(\\?\\S*)?$`)],
  ['kingbase', 54321, new RegExp(`^jdbc:kingbase8://${host}(:(?<port>\\d{1,5}))?/${name}(\\?\\S*)?$`)],
]

/** The parts of a JDBC address; undefined for one of another shape. */
export const readJdbcUrl = (url: string): DatasourceParts | undefined => {
  for (const [kind, usualPort, shape] of shapes) {
    const found = shape.exec(url.trim())?.groups
    if (found) return { kind, host: found['host'] ?? '', port: Number(found['port'] ?? usualPort), databaseName: found['name'] ?? '' }
  }
  return undefined
}
