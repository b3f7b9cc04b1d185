import type { SystemStatus } from '@bi-manager/contract'
import type { Services } from '../../platform/http/services.ts'
import { countText } from '../../platform/lib/count-text.ts'
import { byUrgency, type Item, worstOf } from './item.ts'
import { countConnections, listTests } from './system-status.repository.ts'

export const connectionsItem = async ({ db }: Pick<Services, 'db'>): Promise<SystemStatus['conexoes']> => {
  const [tests, total] = await Promise.all([listTests(db), countConnections(db)])
  const lista = tests
    .map(({ idPowerBi, nome, em, ...test }) => ({
      ...evaluate(test),
      idPowerBI: idPowerBi,
      nome,
      testadaEm: em?.toISOString() ?? null,
    }))
    .sort(byUrgency)
  return { ...summaryOf(lista, total), total, lista }
}

type Test = Pick<
  Awaited<ReturnType<typeof listTests>>[number],
  'versao' | 'versaoTestada' | 'resultado' | 'detalhe'
>

const evaluate = ({ versao, versaoTestada, resultado, detalhe }: Test): Item => {
  if (resultado === null) return { estado: 'desconhecido', frase: 'Nunca foi testada: use Testar conexão.' }
  if (versaoTestada !== versao) {
    return { estado: 'desconhecido', frase: 'Foi editada depois do último teste: teste de novo.' }
  }
  if (resultado === 'falha') return { estado: 'falha', frase: detalhe ?? '' }
  return resultado === 'ok'
    ? { estado: 'ok', frase: 'O último teste funcionou.' }
    : { estado: 'ok', frase: detalhe ?? '' }
}

const summaryOf = (lista: Item[], total: number): Item => {
  if (total === 0) {
    return { estado: 'desconhecido', frase: 'Nenhum Powerbi cadastrado: cadastre um para abrir relatórios.' }
  }
  const failed = lista.filter(({ estado }) => estado === 'falha').length
  const untested = lista.filter(({ estado }) => estado === 'desconhecido').length
  const estado = worstOf(lista)
  if (failed > 0) {
    const what = countText(failed, 'conexão falhou', 'conexões falharam')
    return { estado, frase: `No último teste, ${what}: abra o cadastro e corrija o que o teste aponta.` }
  }
  if (untested > 0) {
    const what = countText(untested, 'conexão está sem teste', 'conexões estão sem teste')
    return { estado, frase: `${what}: abra o cadastro e use Testar conexão.` }
  }
  return { estado, frase: 'Todas as conexões funcionaram no último teste.' }
}
