import { expect } from 'vitest'
import { createConnection, createReport, createWorkspace } from '../reports.ts'
import type { TestApp } from '../test-app.ts'
import { createUser } from '../users.ts'

/** Two administrators set a user's grants concurrently; the result must be one of the two sets. */
export const raceForGrants = async (app: TestApp, rounds: number): Promise<void> => {
  const [one, other] = [
    await app.as(await createUser(app, { tipoUsuario: 'ADMIN' })),
    await app.as(await createUser(app, { tipoUsuario: 'ADMIN' })),
  ]
  const url = `/usuarios/relatorio-usuario/${(await createUser(app)).idUsuario}`
  const { idPowerBi } = await createConnection(app)
  const { idGrupoRelatorio } = await createWorkspace(app, { idPowerBi })
  const ids: number[] = []
  for (let made = 0; made < 5; made += 1)
    ids.push((await createReport(app, { idGrupoRelatorio })).idRelatorio)
  const ofOne = [ids[0], ids[1], ids[3]]
  const ofOther = [ids[2], ids[3], ids[4]]
  const seen = new Set<string>()
  for (let round = 0; round < rounds; round += 1) {
    const changes = [
      () => one.put(url, { idRelatorios: ofOne }),
      () => other.put(url, { idRelatorios: ofOther }),
    ]
    if (round % 2 === 1) changes.reverse()
    const answers = await Promise.all(changes.map((change) => change()))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    // Reads both, so that neither has a head start in the next round.
    const [{ body }] = await Promise.all([one.get(url), other.get(url)])
    const result = body
      .map(({ idRelatorio }: { idRelatorio: number }) => idRelatorio)
      .sort((a: number, b: number) => a - b)
    expect([ofOne, ofOther]).toContainEqual(result)
    seen.add(JSON.stringify(result))
  }
  expect(seen.size).toBe(2)
}
