import type { AccessExplanation, Report, User } from '@bi-manager/contract'
import { Anchor, Badge, Box, Group, Skeleton } from '@mantine/core'
import {
  IconAlertCircle,
  IconCheck,
  IconEye,
  IconMailQuestion,
  IconUserShield,
  IconUsersGroup,
  IconX,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { reasonsQuery } from '../../lib/api/entity-queries.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import shared from '../../ui/shared.module.css'
import classes from './explainer.module.css'

interface AccessAnswerProps {
  user: User
  report: Report
}

export const AccessAnswer = ({ user, report }: AccessAnswerProps) => {
  const { data, error, isFetching, refetch } = useQuery({
    ...reasonsQuery(user.idUsuario, report.idRelatorio),
    // Administrators act on the answer.
    staleTime: 0,
  })
  if (!data && error)
    return <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} />
  if (!data) return <AnswerSkeleton />
  return (
    <section className={shared.card} aria-label="Resposta" aria-busy={isFetching}>
      <Verdict can={data.pode} user={user} report={report} />
      {data.motivos.length > 0 && <Reasons reasons={data.motivos} can={data.pode} />}
      {data.faltas.length > 0 && <Missing explanation={data} user={user} />}
      <RowIdentity identity={data.identidade} isProven={data.emailComprovado} user={user} can={data.pode} />
      <div className={`${shared.buttons} ${shared.ruled} ${classes.steps}`}>
        <ActionButton
          icon={IconEye}
          label="Ver o menu como esta pessoa"
          to={`/permissoes/ver-como/${user.idUsuario}`}
        />
        <ActionButton
          variant="subtle"
          label="Permissões do usuário"
          to={`/editrelatorio/${user.idUsuario}`}
        />
      </div>
    </section>
  )
}

const Verdict = ({ can, user, report }: AccessAnswerProps & { can: boolean }) => {
  const Sign = can ? IconCheck : IconX
  return (
    <Group gap="0.875rem" align="flex-start" wrap="nowrap">
      <Sign
        size={34}
        stroke={2}
        aria-hidden
        className={`${classes.sign} ${can ? shared.active : classes.refused}`}
      />
      <Box component="h2" mt="0.25rem" className={shared.heading}>
        {user.nomeUsuario} {can ? 'vê' : 'não vê'} “{report.nomeRelatorio}”
      </Box>
    </Group>
  )
}

const icons = { administrador: IconUserShield, permissao: IconCheck, perfil: IconUsersGroup }

const Reasons = ({ reasons, can }: { reasons: AccessExplanation['motivos']; can: boolean }) => (
  <div className={shared.stackXs}>
    <h3 className={shared.subheading}>{can ? 'Motivos' : 'O que daria acesso'}</h3>
    <ul className={shared.stackTight}>
      {reasons.map(({ tipo, descricao, idPerfil }) => {
        const ReasonIcon = icons[tipo]
        return (
          <li key={`${tipo} ${idPerfil ?? ''}`} className={classes.reason}>
            <ReasonIcon size={20} stroke={1.7} aria-hidden className={shared.accent} />
            <span className={`${shared.breakable} ${classes.reasonText}`}>
              {descricao}{' '}
              {idPerfil !== undefined && (
                <Anchor component={Link} underline="always" to={profilePath(idPerfil)}>
                  Abrir o perfil
                </Anchor>
              )}
            </span>
          </li>
        )
      })}
    </ul>
  </div>
)

const Missing = ({
  explanation: { faltas, motivos, emailComprovado },
  user,
}: {
  explanation: AccessExplanation
  user: User
}) => (
  <div className={shared.stackXs}>
    <h3 className={shared.subheading}>O que falta</h3>
    <ul className={shared.stackTight}>
      {faltas.map((falta) => (
        <li key={falta} className={classes.reason}>
          <IconAlertCircle size={20} stroke={1.7} color="var(--mantine-color-error)" aria-hidden />
          <span className={`${shared.breakable} ${classes.reasonText}`}>{falta}</span>
        </li>
      ))}
    </ul>
    <div className={`${shared.buttons} ${classes.steps}`}>
      {motivos.length === 0 && (
        <>
          <ActionButton isMain label="Liberar para esta pessoa" to={`/editrelatorio/${user.idUsuario}`} />
          <ActionButton label="Liberar por perfil" to="/permissao-relatorio" />
        </>
      )}
      {(user.situacao !== 'ATIVO' || !emailComprovado) && (
        <ActionButton label="Abrir o cadastro do usuário" to={`/cadastrar-usuario/${user.idUsuario}`} />
      )}
    </div>
  </div>
)

const profilePath = (idPerfil: number) => `/permissao-relatorio/${idPerfil}`

export const AnswerSkeleton = () => (
  <div className={shared.card} role="status" aria-label="Carregando a resposta">
    <Skeleton height={28} width="70%" />
    <Skeleton height={16} width="45%" />
    <Skeleton height={16} width="60%" />
  </div>
)

interface RowIdentityProps {
  identity: AccessExplanation['identidade']
  /** Whether the e-mail is confirmed; otherwise the portal sends no effective identity. */
  isProven: boolean
  user: User
  /** Whether the user can view the report. */
  can: boolean
}

/** The effective identity in the embed token of a report with row-level security. */
const RowIdentity = ({ identity, isProven, user, can }: RowIdentityProps) => (
  <div className={shared.stackXs}>
    <h3 className={shared.subheading}>{can ? 'Linhas que a pessoa vê' : 'Linhas que a pessoa veria'}</h3>
    {identity === null ? (
      <p className={shared.note}>
        Este relatório não envia a identidade de quem o abre: todos veem as mesmas linhas.
      </p>
    ) : (
      <>
        <p className={shared.note}>
          {isProven
            ? 'O modelo escolhe as linhas pela identidade que o portal envia com o relatório:'
            : 'O modelo escolhe as linhas por esta identidade. Sem o e-mail confirmado, o portal não a envia e o relatório não abre:'}
        </p>
        <dl className={classes.identity}>
          <dt>Usuário</dt>
          <dd>
            <code>{identity.usuario}</code> {!isProven && <Unproven />}
          </dd>
          <dt>Papéis</dt>
          <dd>{identity.papeis.join(', ') || 'nenhum: só a identidade'}</dd>
          <dt>customData</dt>
          <dd>
            {identity.customData === null ? (
              <>
                não definida.{' '}
                <Anchor component={Link} underline="always" to={`/cadastrar-usuario/${user.idUsuario}`}>
                  Definir no cadastro
                </Anchor>
              </>
            ) : (
              <code>{identity.customData}</code>
            )}
          </dd>
        </dl>
      </>
    )}
  </div>
)

const Unproven = () => (
  <Badge className={shared.attention} leftSection={<IconMailQuestion size={14} aria-hidden />}>
    E-mail não confirmado
  </Badge>
)
