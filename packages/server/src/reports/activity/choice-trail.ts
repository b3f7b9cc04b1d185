import { type PanelChoice, parameterOf } from '@bi-manager/contract'

interface Choice {
  filtros?: PanelChoice | undefined
  /** `name=value` of each parameter of a paginated report. */
  parametros?: readonly string[] | undefined
  /** A bookmark's state, which has the selections. */
  marcador?: string | null | undefined
}

/**
 * Returns what an audit line says of a choice in a report: the names of what was chosen. The values
 * can name a patient, and every auditor reads the line.
 */
export const choiceTrail = ({ filtros, parametros = [], marcador }: Choice) => ({
  ...(filtros ? { filtros: Object.keys(filtros).filter((name) => filtros[name] !== '') } : {}),
  ...(parametros.length > 0 ? { parametros: parametros.map((text) => parameterOf(text).nome) } : {}),
  ...(marcador === undefined ? {} : { comMarcador: marcador !== null }),
})
