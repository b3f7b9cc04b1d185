import { ApiProblem, grantsApi } from '@bi-manager/contract'
import { call, callSet } from '../../lib/api/api.ts'

/** Attempts while others change the permissions of the same person. */
const ATTEMPTS = 3

/**
 * Grants published reports to people. Several reports are granted in one call for each person, who
 * gets one notification.
 */
export const grantReports = async (people: number[], reports: number[]): Promise<void> => {
  const [first, ...more] = reports
  if (first === undefined) return
  for (const idUsuario of people) {
    if (more.length === 0) await call(grantsApi.create, { body: { idUsuario, idRelatorio: first } })
    else await addToSet(idUsuario, reports)
  }
}

const addToSet = async (idUsuario: number, reports: number[], attempt = 1): Promise<void> => {
  const params = { idUsuario }
  const { rows, tag } = await callSet(grantsApi.listOfUser, { params })
  const idRelatorios = [...new Set([...rows.map(({ idRelatorio }) => idRelatorio), ...reports])]
  try {
    await call(grantsApi.replace, { params, body: { idRelatorios } }, { ifMatch: tag })
  } catch (error) {
    if (!(error instanceof ApiProblem && error.status === 412) || attempt === ATTEMPTS) throw error
    await addToSet(idUsuario, reports, attempt + 1)
  }
}
