import type { TextForm } from '../../../engine/data/csv/known-columns.ts'
import { type Database, literal, quote } from '../../../engine/data/database/database.ts'
import { escapeGlob } from '../../../engine/data/database/plain-file.ts'
import { readTextForms } from '../../../engine/data/parquet/parquet-metadata.ts'

/* The form in which the cells of a spreadsheet are written into published columns of texts. */

/** `isMixed`: the published texts have both forms. */
export interface PublishedForm {
  form: TextForm
  isMixed: boolean
}

/** Texts that only a canonical value has: 2026-03-05, 1.5, true. */
const CANONICAL =
  '\\d{4}-\\d{2}-\\d{2}( \\d{2}:\\d{2}:\\d{2}(\\.\\d+)?)?|-?\\d+\\.\\d+(e[+-]?\\d+)?|true|false'
/** Texts that only a shown value has: 05/03/2026, 1,5, R$ 1, 7%, VERDADEIRO. */
const SHOWN =
  '\\d{2}/\\d{2}/\\d{4}( \\d{2}:\\d{2}:\\d{2}(\\.\\d+)?)?|(R\\$ )?-?\\d+,\\d+%?|R\\$ -?\\d+|-?\\d+%|VERDADEIRO|FALSO'

/**
 * Returns the forms of a published file's columns of texts: those that it keeps, or what most texts
 * are where an earlier version or another program wrote them. Without any such text, cells are shown.
 */
export const textFormsOf = async (database: Database, file: string): Promise<Map<string, PublishedForm>> => {
  const kept = await readTextForms(database, file)
  const source = `read_parquet(${literal(escapeGlob(file))})`
  const described = await database.load(`DESCRIBE SELECT * FROM ${source}`)
  const open = described.flatMap(([name, type]) =>
    type === 'VARCHAR' && !kept.has(String(name)) ? [String(name)] : [],
  )
  const forms = new Map<string, PublishedForm>()
  for (const [name, form] of kept) forms.set(name, { form, isMixed: false })
  if (open.length === 0) return forms
  const counts = open.flatMap((name) =>
    [CANONICAL, SHOWN].map(
      (pattern) => `count_if(regexp_full_match(${quote(name)}, ${literal(pattern)}))::DOUBLE`,
    ),
  )
  const [row = []] = await database.load(`SELECT ${counts.join(', ')} FROM ${source}`)
  for (const [index, name] of open.entries()) {
    const [canonical, shown] = [Number(row[index * 2]), Number(row[index * 2 + 1])]
    forms.set(name, {
      form: canonical > shown ? 'canonical' : 'shown',
      isMixed: canonical > 0 && shown > 0,
    })
  }
  return forms
}

/** Says in which form a column gets cells, where its published texts have both or are not known. */
export const formSentence = (label: string, { form, isMixed }: PublishedForm): string => {
  const why = isMixed ? 'tem textos de duas formas, como 2026-03-05 e 05/03/2026' : 'é de textos'
  const written = form === 'canonical' ? '2026-03-05 e 1.5' : '05/03/2026 e 1,5'
  return `a coluna ${label} ${why}: as datas e os números da planilha ficam como ${written}. Confira os filtros, marcadores e regras que os comparam`
}
