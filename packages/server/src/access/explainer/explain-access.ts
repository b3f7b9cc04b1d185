import { type AccessExplanation, brazilianDayOf } from '@bi-manager/contract'
import { identityColumns, sendsIdentity } from '../../connections/index.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { isCurrent, lastDayOf } from '../../platform/db/queries/expiry.ts'

/**
 * Explains why a user can see a report, or what is missing; undefined when either does not exist.
 */
export const explainAccess = async (
  db: Db,
  idUsuario: number,
  idRelatorio: number,
): Promise<AccessExplanation | undefined> => {
  const [user, report, grant, profiles] = await Promise.all([
    db
      .selectFrom('usuario')
      .select(['tipoUsuario', 'situacao', 'emailUsuario', 'identidadeRls'])
      .select((eb) => eb.not('emailPorProvar').as('emailComprovado'))
      .select([isCurrent('usuario.venceEm').as('isCurrent'), lastDayOf('usuario.venceEm').as('validoAte')])
      .where('idUsuario', '=', idUsuario)
      .executeTakeFirst(),
    db
      .selectFrom('relatorio')
      .select(identityColumns)
      .where('idRelatorio', '=', idRelatorio)
      .executeTakeFirst(),
    db
      .selectFrom('relatorioUsuario')
      .select([isCurrent('relatorioUsuario.venceEm').as('isCurrent')])
      .select(lastDayOf('relatorioUsuario.venceEm').as('validoAte'))
      .where('idUsuario', '=', idUsuario)
      .where('idRelatorio', '=', idRelatorio)
      .executeTakeFirst(),
    db
      .selectFrom('perfilUsuario')
      .innerJoin('perfilRelatorio', 'perfilRelatorio.idPerfil', 'perfilUsuario.idPerfil')
      .innerJoin('perfil', 'perfil.idPerfil', 'perfilUsuario.idPerfil')
      .select(['perfil.idPerfil', 'nomePerfil', isCurrent('perfilUsuario.venceEm').as('isCurrent')])
      .select(lastDayOf('perfilUsuario.venceEm').as('validoAte'))
      .where('idUsuario', '=', idUsuario)
      .where('idRelatorio', '=', idRelatorio)
      .orderBy('nomeNatural')
      .execute(),
  ])
  if (!user || !report) return undefined
  const motivos: AccessExplanation['motivos'] = [
    ...(user.tipoUsuario === 'ADMIN'
      ? [{ tipo: 'administrador' as const, descricao: 'É administrador: vê todos os relatórios.' }]
      : []),
    ...(grant?.isCurrent
      ? [
          {
            tipo: 'permissao' as const,
            descricao: `Tem permissão direta para este relatório${untilOf(grant)}.`,
          },
        ]
      : []),
    ...profiles
      .filter(({ isCurrent }) => isCurrent)
      .map(({ idPerfil, nomePerfil, validoAte }) => ({
        tipo: 'perfil' as const,
        descricao: `Participa do perfil “${nomePerfil}”, que inclui este relatório${untilOf({ validoAte })}.`,
        idPerfil,
      })),
  ]
  const hasIdentity = sendsIdentity(report)
  const faltas = [
    ...(motivos.length > 0 ? [] : missingOf(grant, profiles)),
    ...(user.situacao === 'ATIVO' ? [] : [shutOut[user.situacao]]),
    ...(user.validoAte && !user.isCurrent ? [endedAccount(user.validoAte)] : []),
    ...(hasIdentity && !user.emailComprovado ? [unproven] : []),
  ]
  const identidade = hasIdentity
    ? {
        usuario: report.usuarioIdentidade ?? user.emailUsuario,
        papeis: report.papeisRls,
        customData: user.identidadeRls,
      }
    : null
  const { emailComprovado } = user
  return { pode: faltas.length === 0, motivos, faltas, emailComprovado, identidade }
}

interface Ended {
  validoAte: string | null
}

const untilOf = ({ validoAte }: Ended): string => (validoAte ? `, até ${brazilianDayOf(validoAte)}` : '')

/** Returns a sentence for each access that has ended; without any, that nothing was granted. */
const missingOf = (grant: Ended | undefined, profiles: (Ended & { nomePerfil: string })[]): string[] => {
  const ended = [
    ...(grant?.validoAte ? [endedGrant(grant.validoAte)] : []),
    ...profiles.flatMap(({ nomePerfil, validoAte }) =>
      validoAte ? [endedMember(nomePerfil, validoAte)] : [],
    ),
  ]
  return ended.length > 0 ? ended : [nothingGranted]
}

const nothingGranted =
  'Não tem permissão direta, e nenhum dos seus perfis inclui este relatório. Libere o relatório para a pessoa ou para um perfil dela.'

const endedGrant = (day: string) =>
  `A permissão direta para este relatório valeu até ${brazilianDayOf(day)}, e nenhum perfil de que ela participa agora o inclui. Dê outro prazo à permissão.`

const endedMember = (profile: string, day: string) =>
  `A pessoa participou até ${brazilianDayOf(day)} do perfil “${profile}”, que inclui este relatório. Dê outro prazo à participação.`

const endedAccount = (day: string) =>
  `A conta da pessoa valeu até ${brazilianDayOf(day)}: ela não consegue entrar.`

const unproven =
  'O e-mail da pessoa não está confirmado, e as linhas deste relatório dependem dele: o portal não o envia. Envie um convite pela lista de usuários; a pessoa também o confirma com “Recuperar senha”.'

const shutOut = {
  PENDENTE: 'O cadastro ainda aguarda aprovação: a pessoa não consegue entrar.',
  BLOQUEADO: 'A pessoa está bloqueada e não consegue entrar.',
}
