import type { ProblemCode } from '@bi-manager/contract'
import type { Connection } from './connection.ts'

interface Advice {
  /** Matches the provider's status, code or text. */
  says?: RegExp
  codigo?: ProblemCode
  /** Only for these calls, as power-bi-api.ts names them: a refusal has different meanings. */
  operations?: string[]
  credential?: Connection['credential']['kind']
  /** Only for connections that act for a profile. */
  profile?: true
  /** One or two sentences per provider: what is wrong, and what to do. */
  microsoft: string
  local: string
}

const localCredential =
  'Use como Username e Senha o clientId e o clientSecret de service.json, na pasta de dados do serviço local de relatórios.'

/**
 * The known refusals; the first matching row applies. Order: Entra's codes, Power BI's, then the
 * rest by problem code. Menu names are those of Microsoft's Portuguese portals.
 */
export const adviceTable: Advice[] = [
  {
    says: /AADSTS7000215\b/,
    microsoft:
      'O segredo do aplicativo está incorreto. No Microsoft Entra, abra Registros de aplicativo, o aplicativo, Certificados e segredos, e grave aqui o Valor do segredo (não o ID do segredo).',
    local: `O serviço local não reconhece esta senha. ${localCredential}`,
  },
  {
    says: /AADSTS7000222\b/,
    microsoft:
      'O segredo do aplicativo expirou. No Microsoft Entra, abra Registros de aplicativo, o aplicativo, Certificados e segredos, crie um novo segredo do cliente e grave aqui o Valor dele.',
    local: `A senha desta conexão expirou. ${localCredential}`,
  },
  {
    says: /AADSTS700016\b/,
    microsoft:
      'O aplicativo não existe neste tenant. Confira o Application ID (ID do aplicativo, não o ID do objeto) e o Tenant ID na visão geral do registro de aplicativo no Microsoft Entra.',
    local: `O serviço local não conhece este aplicativo. ${localCredential}`,
  },
  {
    says: /AADSTS(90002|900021|900023)\b/,
    microsoft:
      'O tenant não existe nesta nuvem da Microsoft. Copie o Tenant ID (ID do diretório) da visão geral do Microsoft Entra e grave-o em Avançado; em uma nuvem soberana, confira também a configuração POWERBI_CLOUD.',
    local: 'O serviço local não conhece este tenant. Deixe o Tenant ID vazio.',
  },
  {
    says: /AADSTS(500011|900382)\b/,
    microsoft:
      'Este tenant é de outra nuvem da Microsoft que a da configuração POWERBI_CLOUD, ou não tem o Power BI. Corrija POWERBI_CLOUD e reinicie o portal.',
    local: 'O serviço local não reconhece o que o portal pediu. Confira as versões do portal e do serviço.',
  },
  {
    says: /AADSTS(50059|50194|9002313)\b/,
    microsoft:
      'Falta dizer o tenant: um aplicativo não entra sem ele. Copie o Tenant ID (ID do diretório) da visão geral do Microsoft Entra e grave-o em Avançado.',
    local: 'O serviço local não reconhece o tenant. Deixe o Tenant ID vazio.',
  },
  {
    says: /AADSTS(50126|50034)\b/,
    microsoft:
      'O usuário mestre ou a senha dele está incorreto. Entre com ele no Power BI para conferir e grave aqui o mesmo usuário e a mesma senha.',
    local: `O serviço local não reconhece este usuário e senha. ${localCredential}`,
  },
  {
    says: /AADSTS(50076|50079|50072|50074|50158|53003|53000)\b/,
    microsoft:
      'O Microsoft Entra exige verificação em duas etapas (MFA) ou outra condição que o portal não pode cumprir por este usuário. Use um aplicativo (entidade de serviço) em Avançado, ou exclua o usuário mestre da política de acesso condicional.',
    local: 'O serviço local pediu uma verificação que não existe nele. Atualize o serviço de relatórios.',
  },
  {
    says: /AADSTS65001\b/,
    microsoft:
      'Falta consentimento para o aplicativo. No Microsoft Entra, abra Registros de aplicativo, o aplicativo, Permissões de API, e escolha Conceder consentimento do administrador para o Power BI Service.',
    local: 'O serviço local pediu um consentimento que não existe nele. Atualize o serviço de relatórios.',
  },
  {
    says: /AADSTS50053\b/,
    microsoft:
      'A conta do usuário mestre está bloqueada por muitas tentativas. Aguarde alguns minutos, ou peça ao administrador do Microsoft Entra que redefina a senha, e teste de novo.',
    local: 'A conta está bloqueada no serviço local. Aguarde alguns minutos e teste de novo.',
  },
  {
    says: /AADSTS50057\b/,
    microsoft:
      'A conta do usuário mestre está desabilitada. Peça ao administrador do Microsoft Entra que a habilite em Usuários, ou use outra conta.',
    local: 'A conta está desabilitada no serviço local. Use outra.',
  },
  {
    says: /AADSTS(50055|50144)\b/,
    microsoft:
      'A senha do usuário mestre expirou. Troque-a entrando com ele no Power BI e grave aqui a nova senha.',
    local: `A senha desta conexão expirou. ${localCredential}`,
  },
  {
    says: /AADSTS(7000218|7000112)\b/,
    microsoft:
      'O aplicativo não aceita este tipo de credencial. No Microsoft Entra, confira se ele está habilitado e, para usuário mestre, ligue Permitir fluxos de clientes públicos em Autenticação.',
    local: `O serviço local esperava outro tipo de credencial. ${localCredential}`,
  },
  {
    says: /AADSTS900144\b/,
    microsoft: 'Falta um dado da credencial. Informe em Avançado o Application ID do aplicativo registrado.',
    local: 'Falta um dado da credencial. Com usuário mestre, informe em Avançado o Application ID.',
  },
  {
    codigo: 'bi_credencial_recusada',
    says: /./,
    microsoft:
      'O Microsoft Entra recusou a credencial. Confira Tenant ID, Application ID, tipo de credencial e senha; o registro de entradas do Microsoft Entra diz o motivo.',
    local: `O serviço local recusou a credencial. ${localCredential}`,
  },
  {
    codigo: 'bi_credencial_recusada',
    microsoft:
      'A senha guardada não pode mais ser aberta, porque a chave do servidor mudou. Edite a conexão, digite a senha de novo e grave.',
    local:
      'A senha guardada não pode mais ser aberta, porque a chave do servidor mudou. Edite a conexão, digite a senha de novo e grave.',
  },
  {
    says: /capacity/i,
    codigo: 'bi_sobrecarregado',
    microsoft:
      'A capacidade do workspace passou do limite de computação e recusa chamadas. Aguarde {espera} e tente de novo; se persistir, veja o consumo no aplicativo Fabric Capacity Metrics e aumente a capacidade no portal do Azure.',
    local:
      'O serviço local passou do limite de computação e pede para aguardar {espera}. Tente de novo depois disso.',
  },
  {
    codigo: 'bi_sobrecarregado',
    microsoft:
      'O Power BI recebeu chamadas demais e pede para aguardar {espera}. Tente de novo depois disso.',
    local:
      'O serviço local recebeu chamadas demais e pede para aguardar {espera}. Tente de novo depois disso.',
  },
  {
    codigo: 'bi_sem_resposta',
    microsoft:
      '{origem} não respondeu em {tempo}. Confira a rede e o proxy do servidor e a página de estado do Power BI, e tente de novo.',
    local:
      'O serviço local de relatórios ({origem}) não respondeu em {tempo}. Veja se ele está sobrecarregado e tente de novo.',
  },
  {
    codigo: 'bi_indisponivel',
    says: /redirects to/,
    microsoft:
      '{origem} redireciona a chamada para {destino}, que não é da nuvem configurada, e o portal não envia a credencial para lá. Veja se um proxy responde no lugar da Microsoft e confira POWERBI_CLOUD, POWERBI_AUTHORITY_URL e POWERBI_API_URL.',
    local:
      '{origem} redireciona a chamada para {destino}, e o portal não envia a credencial para lá. Confira se REPORTS_URL aponta para o serviço de relatórios.',
  },
  {
    codigo: 'bi_indisponivel',
    says: /^no answer/,
    microsoft:
      'Não foi possível chegar a {origem}. Confira a saída do servidor para a internet (DNS, firewall, proxy) e as configurações POWERBI_CLOUD, POWERBI_AUTHORITY_URL e POWERBI_API_URL.',
    local:
      'O serviço local de relatórios não atende em {origem}. Inicie-o (REPORTS_ENABLED=true) e confira REPORTS_URL.',
  },
  {
    codigo: 'bi_cota_esgotada',
    microsoft:
      'Os tokens de teste acabaram, porque o workspace não está em uma capacidade; esperar não adianta. No Power BI, abra as configurações do workspace, Tipo de licença, e escolha uma capacidade do Fabric, Premium ou Embedded.',
    local: 'O serviço local recusou por falta de capacidade. Atualize o serviço de relatórios.',
  },
  {
    says: /shared or|purchase|not on .*capacity|no capacity/i,
    codigo: 'bi_indisponivel',
    microsoft:
      'O workspace não está em uma capacidade. No Power BI, abra as configurações do workspace, Tipo de licença, e escolha uma capacidade do Fabric, Premium ou Embedded.',
    local: 'O serviço local recusou por falta de capacidade. Atualize o serviço de relatórios.',
  },
  {
    codigo: 'bi_pausado',
    microsoft:
      'A capacidade do workspace está pausada ou inativa. No portal do Azure, abra a capacidade do Fabric ou do Power BI Embedded e escolha Retomar.',
    local: 'O serviço local está pausado. Inicie-o de novo.',
  },
  {
    codigo: 'bi_indisponivel',
    microsoft:
      'O Power BI está com problemas (HTTP {status}). Veja a página de estado do Power BI e tente de novo em alguns minutos.',
    local:
      'O serviço local de relatórios está com problemas (HTTP {status}). Ele pode estar carregando os dados: aguarde e, se persistir, veja os registros dele.',
  },
  {
    says: /shouldn.t have effective identity/i,
    microsoft:
      'O conjunto de dados não define segurança por linha, mas o relatório está cadastrado com papéis ou com Enviar a identidade da pessoa. Retire os papéis do cadastro do relatório e desligue o envio.',
    local:
      'O conjunto de dados não define papéis, mas o relatório está cadastrado com papéis ou com Enviar a identidade da pessoa. Retire os papéis do cadastro do relatório e desligue o envio.',
  },
  {
    says: /identity\W.*\brol(e|es)\b|\brol(e|es)\b.*identity|no role/i,
    codigo: 'bi_identidade_necessaria',
    microsoft:
      'Os papéis de segurança do relatório não são os do conjunto de dados, ou faltam. Confira os nomes no Power BI Desktop, em Modelagem, Gerenciar funções, e corrija o cadastro do relatório.',
    local:
      'Os papéis de segurança do relatório não são os do conjunto de dados, ou faltam. Confira os nomes no arquivo do conjunto e corrija o cadastro do relatório.',
  },
  {
    codigo: 'bi_identidade_necessaria',
    microsoft:
      'O conjunto de dados tem segurança por linha e exige uma identidade. Informe no cadastro do relatório os papéis de segurança definidos no Power BI Desktop, em Modelagem, Gerenciar funções; se os dados vêm do Analysis Services sem papéis, ligue, em Avançado, Enviar a identidade da pessoa.',
    local:
      'O conjunto de dados restringe linhas e exige uma identidade. Informe no cadastro do relatório os papéis de segurança que o arquivo do conjunto define.',
  },
  {
    codigo: 'bi_sem_acesso',
    operations: ['listGroups'],
    profile: true,
    microsoft:
      'O Power BI não aceita este perfil do service principal. Confira em Avançado o id do perfil, que deve ter sido criado por este mesmo aplicativo (POST /v1.0/myorg/profiles), ou deixe-o vazio; e, no portal de administração do Power BI, Configurações do desenvolvedor, se o aplicativo pode criar e usar perfis.',
    local: 'O serviço local não deixa este aplicativo ver os grupos. Deixe o perfil vazio.',
  },
  {
    codigo: 'bi_sem_acesso',
    operations: ['listGroups'],
    credential: 'service_principal',
    microsoft:
      'O tenant não permite que este aplicativo use as APIs do Power BI. No portal de administração do Power BI, Configurações do locatário, Configurações do desenvolvedor, habilite entidades de serviço para as APIs do Fabric/Power BI, para um grupo de segurança que contenha o aplicativo; leva até 15 minutos para valer.',
    local: `O serviço local não deixa este aplicativo ver os grupos. ${localCredential}`,
  },
  {
    codigo: 'bi_sem_acesso',
    operations: ['listGroups'],
    microsoft:
      'O usuário mestre não pode ver workspaces do Power BI. Dê a ele uma licença Pro e ao aplicativo, em Permissões de API do Microsoft Entra, {permissao} com consentimento do administrador.',
    local: `O serviço local não deixa este usuário ver os grupos. ${localCredential}`,
  },
  {
    codigo: 'bi_sem_acesso',
    operations: ['generateToken'],
    credential: 'service_principal',
    microsoft:
      'A conexão vê o relatório, mas não pode gerar o token dele. No Power BI, em Gerenciar acesso do workspace do relatório e do conjunto de dados, dê ao aplicativo o papel de Membro, e confira em Configurações do locatário se inserir conteúdo em aplicativos está habilitado. Se os dados vêm do Azure Analysis Services, informe no relatório, em Avançado, Usuário enviado, o id de objeto do aplicativo ou o do perfil.',
    local:
      'O serviço local não deixa esta conexão gerar tokens. Confira a credencial e as versões do portal e do serviço.',
  },
  {
    codigo: 'bi_sem_acesso',
    operations: ['generateToken'],
    microsoft:
      'A conexão vê o relatório, mas não pode gerar o token dele. No Power BI, em Gerenciar acesso do workspace do relatório e do conjunto de dados, dê ao usuário mestre o papel de Membro; no Microsoft Entra, dê ao aplicativo, em Permissões de API, {permissao} com consentimento do administrador.',
    local:
      'O serviço local não deixa esta conexão gerar tokens. Confira a credencial e as versões do portal e do serviço.',
  },
  {
    codigo: 'bi_sem_acesso',
    operations: ['startRefresh'],
    microsoft:
      'A conexão vê o relatório, mas não pode atualizar os dados dele. No Power BI, em Gerenciar acesso do workspace do conjunto de dados, dê à conta da conexão o papel de Membro; para um usuário mestre, o aplicativo precisa também de {permissao}.',
    local: 'O serviço local não deixa esta conexão atualizar o conjunto de dados. Confira a credencial.',
  },
  {
    codigo: 'bi_sem_acesso',
    operations: ['listRefreshes', 'getRefreshSchedule'],
    microsoft:
      'A conexão vê o relatório, mas não as atualizações dos dados dele. No Power BI, em Gerenciar acesso do workspace do conjunto de dados, dê à conta da conexão o papel de Membro (Visualizador não basta); para um usuário mestre, o aplicativo precisa também de {permissao}.',
    local: 'O serviço local não deixa esta conexão ler o conjunto de dados. Confira a credencial.',
  },
  {
    codigo: 'bi_sem_acesso',
    operations: ['getDataset'],
    credential: 'service_principal',
    microsoft:
      'A conexão vê o relatório, mas não pode ler o conjunto de dados dele ({permissao}). No Power BI, em Gerenciar acesso do workspace do conjunto de dados, dê ao aplicativo o papel de Membro; para um aplicativo, as permissões de API do Microsoft Entra não valem.',
    local: 'O serviço local não deixa esta conexão ler o conjunto de dados. Confira a credencial.',
  },
  {
    codigo: 'bi_sem_acesso',
    operations: ['getDataset'],
    microsoft:
      'A conexão vê o relatório, mas não pode ler o conjunto de dados dele. No Microsoft Entra, dê ao aplicativo, em Permissões de API, {permissao} com consentimento do administrador; no Power BI, dê ao usuário mestre o papel de Membro no workspace do conjunto de dados.',
    local: 'O serviço local não deixa esta conexão ler o conjunto de dados. Confira a credencial.',
  },
  {
    codigo: 'bi_sem_acesso',
    profile: true,
    microsoft:
      'O perfil desta conexão não participa deste workspace. Dê ao perfil o papel de Membro no workspace (Groups AddGroupUser, com profile), ou confira em Avançado o id do perfil.',
    local: 'O serviço local não deixa esta conexão ver este workspace. Confira a credencial.',
  },
  {
    codigo: 'bi_sem_acesso',
    credential: 'service_principal',
    microsoft:
      'A conexão não participa deste workspace. No Power BI, abra o workspace, Gerenciar acesso, e adicione o aplicativo como Membro.',
    local: 'O serviço local não deixa esta conexão ver este workspace. Confira a credencial.',
  },
  {
    codigo: 'bi_sem_acesso',
    microsoft:
      'A conexão não participa deste workspace, ou o aplicativo não tem {permissao}. No Power BI, abra o workspace, Gerenciar acesso, e adicione o usuário mestre como Membro; no Microsoft Entra, confira as Permissões de API do aplicativo.',
    local: 'O serviço local não deixa esta conexão ver este workspace. Confira a credencial.',
  },
  {
    codigo: 'bi_relatorio_inexistente',
    operations: ['listGroups', 'listReports'],
    microsoft:
      'O Power BI não encontrou este workspace, ou a conexão não participa dele. Confira o id do grupo e, em Gerenciar acesso do workspace, adicione o aplicativo ou o usuário mestre como Membro.',
    local: 'O serviço local não tem este workspace. Confira a pasta workspaces do serviço de relatórios.',
  },
  {
    codigo: 'bi_relatorio_inexistente',
    operations: ['getDataset'],
    microsoft:
      'O Power BI não encontrou um conjunto de dados do relatório. Veja se foi excluído e, no cadastro do relatório, confira o id de cada conjunto adicional; antes do id de um que está em outro workspace, escreva o id desse workspace e uma barra.',
    local:
      'O serviço local não encontrou um conjunto de dados do relatório. Confira no cadastro do relatório o id de cada conjunto adicional e o do workspace dele.',
  },
  {
    codigo: 'bi_relatorio_inexistente',
    microsoft:
      'O Power BI não encontrou o relatório ou o conjunto de dados dele. Veja se foi excluído ou movido para outro workspace e corrija o cadastro do relatório.',
    local:
      'O serviço local não tem este relatório. Confira os arquivos da pasta workspaces e corrija o cadastro do relatório.',
  },
  {
    says: /./,
    codigo: 'bi_resposta_invalida',
    operations: ['listRefreshes', 'getRefreshSchedule', 'startRefresh'],
    microsoft:
      'O Power BI não atualiza estes dados, ou não informa as atualizações (HTTP {status}). É assim quando eles não são importados, como em DirectQuery e em conexões dinâmicas.',
    local:
      'O serviço local não atualiza estes dados (HTTP {status}). Confira se as versões do portal e do serviço são as mesmas.',
  },
  {
    says: /./,
    codigo: 'bi_resposta_invalida',
    microsoft:
      'O Power BI recusou a chamada de forma inesperada (HTTP {status}). Tente de novo; se persistir, confira as configurações POWERBI_CLOUD, POWERBI_AUTHORITY_URL e POWERBI_API_URL.',
    local:
      'O serviço local recusou a chamada de forma inesperada (HTTP {status}). Confira se REPORTS_URL aponta para o serviço de relatórios e se as versões são as mesmas.',
  },
  {
    codigo: 'bi_resposta_invalida',
    microsoft:
      'A resposta da Microsoft não pôde ser lida. Veja se um proxy responde no lugar dela e confira as configurações POWERBI_CLOUD, POWERBI_AUTHORITY_URL e POWERBI_API_URL.',
    local:
      'A resposta do serviço local não pôde ser lida. Confira se REPORTS_URL aponta para o serviço de relatórios.',
  },
]
