import type { AccessExplanation, Report, User } from '@bi-manager/contract'
import { Anchor, Button, Skeleton } from '@mantine/core'
import {
  IconAlertCircle,
  IconCheck,
  IconEye,
  IconUserShield,
  IconUsersGroup,
  IconX,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import shared from '../../ui/shared.module.css'
import classes from './explainer.module.css'
import { explanationQuery } from './explainer-queries.ts'
import { RowIdentity } from './row-identity.tsx'

interface AccessAnswerProps {
  user: User
  report: Report
}

export const AccessAnswer = ({ user, report }: AccessAnswerProps) => {
  const { data, error, isFetching, refetch } = useQuery(explanationQuery(user.idUsuario, report.idRelatorio))
  if (!data && error)
    return <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} />
  if (!data) return <AnswerSkeleton />
  return (
    <section className={classes.answer} aria-label="Resposta" aria-busy={isFetching}>
      <Verdict can={data.pode} user={user} report={report} />
      {data.motivos.length > 0 && <Reasons reasons={data.motivos} can={data.pode} />}
      {data.faltas.length > 0 && <Missing explanation={data} user={user} />}
      <RowIdentity identity={data.identidade} isProven={data.emailComprovado} user={user} can={data.pode} />
      <div className={`${classes.steps} ${classes.further}`}>
        <Button
          variant="default"
          component={Link}
          to={`/permissoes/ver-como/${user.idUsuario}`}
          leftSection={<IconEye size={18} aria-hidden />}
        >
          Ver o menu como esta pessoa
        </Button>
        <Button variant="subtle" component={Link} to={`/editrelatorio/${user.idUsuario}`}>
          Permissões do usuário
        </Button>
      </div>
    </section>
  )
}

const Verdict = ({ can, user, report }: AccessAnswerProps & { can: boolean }) => {
  const Sign = can ? IconCheck : IconX
  return (
    <div className={classes.verdict}>
      <Sign size={34} stroke={2} aria-hidden className={classes.sign} data-can={can} />
      <h2 className={classes.sentence}>
        {user.nomeUsuario} {can ? 'vê' : 'não vê'} “{report.nomeRelatorio}”
      </h2>
    </div>
  )
}

const icons = { administrador: IconUserShield, permissao: IconCheck, perfil: IconUsersGroup }

const Reasons = ({ reasons, can }: { reasons: AccessExplanation['motivos']; can: boolean }) => (
  <div className={classes.part}>
    <h3 className={shared.subheading}>{can ? 'Motivos' : 'O que daria acesso'}</h3>
    <ul className={classes.list}>
      {reasons.map(({ tipo, descricao, idPerfil }) => {
        const ReasonIcon = icons[tipo]
        return (
          <li key={`${tipo} ${idPerfil ?? ''}`} className={classes.reason}>
            <ReasonIcon size={20} stroke={1.7} aria-hidden className={classes.reasonIcon} />
            <span className={classes.reasonText}>
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
  <div className={classes.part}>
    <h3 className={shared.subheading}>O que falta</h3>
    <ul className={classes.list}>
      {faltas.map((falta) => (
        <li key={falta} className={classes.reason}>
          <IconAlertCircle size={20} stroke={1.7} aria-hidden className={classes.missingIcon} />
          <span className={classes.reasonText}>{falta}</span>
        </li>
      ))}
    </ul>
    <div className={classes.steps}>
      {motivos.length === 0 && (
        <>
          <Button component={Link} to={`/editrelatorio/${user.idUsuario}`}>
            Liberar para esta pessoa
          </Button>
          <Button variant="default" component={Link} to="/permissao-relatorio">
            Liberar por perfil
          </Button>
        </>
      )}
      {(user.situacao !== 'ATIVO' || !emailComprovado) && (
        <Button variant="default" component={Link} to={`/cadastrar-usuario/${user.idUsuario}`}>
          Abrir o cadastro do usuário
        </Button>
      )}
    </div>
  </div>
)

const profilePath = (idPerfil: number) => `/permissao-relatorio/${idPerfil}`

export const AnswerSkeleton = () => (
  <div className={classes.answer} role="status" aria-label="Carregando a resposta">
    <Skeleton height={28} width="70%" />
    <Skeleton height={16} width="45%" />
    <Skeleton height={16} width="60%" />
  </div>
)
