"""Software and its operation: what programs, their logs and their manuals are about. Tables, to be read as summarizing/relevance/kinds.py says; refuses everything but words."""

# --- Software -------------------------------------------------------------------------------------------

_SOFTWARE = """
setting option configuration preference environment env variable flag switch einstellung einstellungen
konfiguration umgebungsvariable schalter paramètre réglage ajuste configuración opción
    enable disable default override toggle boolean configured unset config yaml toml ini export standardmäßig
    aktiviert voreinstellung activé désactivé défaut activado desactivado predeterminado
= term

parameter parametern argument input field attribute feld eingabe paramètre champ parámetro campo argumento
    required optional integer boolean array float nullable accepts default pflichtfeld requis facultatif
    obligatorio opcional bool enum
= term

default fallback voreinstellung voreinstellungen standard standardwert défaut predeterminado
    unset unspecified omitted otherwise initially standardmäßig omis preset prefilled factory implicit
    implicitly unchanged assumed absent
= term number

value wert valeur valor
    equals amounts totals beträgt équivaut equivale constant enumerated evaluates ranges numeric worth valid
= number quantity

limit quota maximum minimum threshold restriction ratelimit grenze grenzen grenzwert obergrenze höchstens
kontingent plafond seuil cuota máximo mínimo umbral
    max min exceed exceeded throttled upto burst allowance capped concurrent bounded mindestens überschreitet
    maximal dépasse excede supera requests
= number quantity

endpoint route api url path resource schnittstelle schnittstellen endpunkt ressource recurso ruta
    patch delete http graphql webhook uri request handler query querystring v1 v2 multipart crud openapi
    swagger
= path url

method function procedure methoden funktion funktionen aufruf fonction método función llamada
    returns raises throws arguments callback async constructor overload signature invoke
= term

class object interface module klasse klassen objekt objet clase objeto módulo
    extends implements inherits subclass instance constructor abstract mixin singleton struct trait enum
= term

type datatype schema typ datentyp typen tipo esquema
    integer boolean float array enum uuid timestamp varchar struct nullable bytes int64 json
= term

return output result rückgabe rückgabewert ausgabe sortie retour salida retorno
    yields prints emits produces renvoie devuelve stdout renders tuple none null
= term

error exception failure fault fehler fehlern ausnahme ausnahmen fehlermeldung fehlermeldungen störung
störungen erreur échec panne excepción fallo
    failed fatal crash panic traceback stacktrace abort denied refused timeout invalid unauthorized forbidden
    unavailable segfault exit unreachable corrupt oom raised throws thrown nullpointer overflow underflow
    fehlgeschlagen ungültig abgebrochen échoué impossible fallido inválido denegado rechazado
= code

status statuscode http antwortcode statut código estado
    ok created accepted unauthorized forbidden conflict teapot redirect unprocessable unavailable gateway
    throttled responded
= code

warning notice warnung warnungen hinweis avertissement advertencia aviso
    deprecated caution alert careful beware achtung attention atención unsafe sparingly hazardous risky
    gefährlich dangereux peligroso irreversible

version versionen release revision ausgabe veröffentlichung veröffentlichungen fassung fassungen publication
publicación
    changelog beta alpha rc stable lts snapshot hotfix patch minor semver veröffentlicht erschienen publié
    lanzado
= version date

dependency library package requirement abhängigkeit abhängigkeiten bibliothek bibliotheken paket dépendance
bibliothèque paquet dependencia biblioteca
    requires depends bumped upgraded pinned pip npm maven cargo gradle transitive peer vendored bundled
    minimum benötigt requiert requiere
= version

breaking incompatible incompatibility bruch inkompatibel inkompatibilität inkompatibilitäten rupture
incompatibilidad ruptura
    removed drop renamed replaced longer migrate migration mandatory moved backwards raises rejects obsolete
    entfernt entfällt umbenannt supprimé renommé eliminado renombrado

deprecation deprecated removal removed obsolete sunset veraltet abgekündigt entfernung entfernungen
obsolescence suppression obsoleto eliminación
    dropped discontinued retired superseded legacy unsupported eol abandoned replaced entfernt eingestellt
    supprimé abandonné eliminado retirado
= version

addition feature enhancement improvement novelty neuerung neuerungen neuheit neuheiten erweiterung
erweiterungen verbesserung verbesserungen nouveauté amélioration ajout novedad mejora
    added adds introduce improved enhanced extended implemented hinzugefügt unterstützt añadido soporta

bug bugfix fix fixes repair fehlerbehebung fehlerbehebungen korrektur fehlerkorrektur correctif correction
bogue corrección arreglo
    corrected resolved patched prevented regression crash leak race deadlock incorrect broken behoben
    korrigiert corrigé résolu corregido resuelto solucionado

security vulnerability exploit cve sicherheit sicherheitslücke sicherheitslücken schwachstelle schwachstellen
sécurité vulnérabilité faille seguridad vulnerabilidad
    xss csrf injection overflow escalation bypass attacker malicious sanitize hardened disclosure leak rce
    traversal advisory severity critical encrypted encryption authentication phishing malware ransomware
    angreifer verschlüsselt attaquant chiffré atacante cifrado
= code version

performance speedup optimization efficiency leistung leistungen geschwindigkeit optimierung optimierungen
optimisation rendimiento optimización
    faster slower speed throughput latency benchmark optimized optimised cached memory overhead milliseconds
    bottleneck reduced schneller beschleunigt accéléré rapide acelerado rápido
= quantity percent

known limitation caveat einschränkung einschränkungen limitación
    unsupported unresolved workaround cannot currently unfortunately experimental incomplete bislang
    unimplemented flaky intermittent unfixed unstable preview restricted

licence license copyright lizenz lizenzen urheberrecht droits licencia derechos
    apache gpl lgpl bsd mpl proprietary copyleft creative patent freeware lizenziert libre

platform compatibility browser plattform betriebssystem kompatibilität plateforme compatibilité plataforma
compatibilidad sistema
    linux windows macos android ios ubuntu debian fedora arm x86 amd64 chrome firefox safari edge kubernetes
    docker jvm python node
= version

command cli shell befehl kommando terminal comando orden
    execute bash sudo git curl docker kubectl npm pip install subcommand prompt ausführen exécuter ejecutar
= term

file directory folder path datei dateien verzeichnis ordner ordnern pfad fichier répertoire dossier chemin
archivo directorio carpeta fichero ruta
    filename extension json yaml csv txt log pdf conf dotfile symlink subdirectory subfolder archive zip toml
    ini
= path

format encoding syntax dateiformat kodierung kodierungen codage formato codificación
    json xml csv yaml utf8 ascii base64 binary plaintext markdown pdf png jpeg mime gzip delimiter hex

database table query column datenbank tabelle abfrage spalte requête colonne base tabla consulta columna
    sql postgres postgresql mysql sqlite mongodb redis index schema migration transaction select insert join
    rows replica shard deadlock backup
= term

authentication login authorization credential token anmeldung anmeldungen authentifizierung
authentifizierungen zugang zugangsdaten authentification connexion identifiant autenticación sesión
credencial
    oauth jwt bearer password passphrase apikey sso saml ldap signin signout logged session mfa otp expired
    scope header passwort abgemeldet contraseña

permission privilege access role acl berechtigung berechtigungen zugriff recht autorisation accès droit
permiso acceso derecho
    admin root readonly write grant denied forbidden allowed rbac sudo owner superuser erlaubt autorisé
    permitido
= term

event hook trigger callback webhook auslöser déclencheur disparador
    emitted fires fired dispatched listener subscribe payload handler notified publish
= term

test coverage qa prüfung prüfungen essai prueba
    passed failed skipped flaky regression assertion pytest junit integration mock fixture bestanden réussi
    aprobada
= number percent

architecture design component structure aufbau architektur komponente komponenten conception arquitectura
diseño
    microservice layer backend frontend client server gateway queue broker proxy balancer pipeline monolith

algorithm technique approach method algorithmus verfahren ansatz approche algoritmo técnica método
    sorting hashing search greedy recursive heuristic gradient neural regression complexity iteration

documentation reference link source dokumentation verweis quelle lien documentación enlace fuente
    docs readme manual guide tutorial wiki chapter appendix footnote cited siehe handbuch manuel
= url path

commit branch merge issue ticket
    pushed rebased reverted cherry repository fork reviewed squash closes opened gemergt
= code

model training dataset modell datensatz données modelo datos
    finetuned epochs tokens inference accuracy benchmark weights transformer gpu embedding hyperparameter
    overfitting
= number percent
"""

# --- Operations -----------------------------------------------------------------------------------------

_OPERATIONS = """
pod container workload deployment conteneur contenedor
    crashloopbackoff imagepullbackoff oomkilled evicted pending terminating replicaset daemonset statefulset
    replicas sidecar kubelet ready containercreating errimagepull
= state name

node host server machine knoten rechner nœud serveur nodo servidor
    notready cordoned drained schedulingdisabled worker master kubelet hostname vm rack datacenter cluster
    rebooted
= name state

restart reboot neustart redémarrage reinicio
    crashloopbackoff backoff respawned relaunched neugestartet redémarré reiniciado killed oomkilled reloaded
    bounce oom probe liveness
= number

state condition phase health zustand gesundheit état santé estado salud
    pending failed succeeded crashloopbackoff ready notready healthy unhealthy degraded terminated evicted
    active inactive offline paused idle läuft gestoppt arrêté actif detenido activo
= state

resource cpu memory ram disk usage utilization ressource speicher speichern arbeitsspeicher auslastung
auslastungen mémoire utilisation memoria recurso uso disco
    mib gib millicores cores requests limits oomkilled swap heap allocated throttled saturation iops storage
    inode gigabyte megabyte belegt
= quantity percent

image tag tage registry artefact artifact abbild abbilder imagen
    pulled imagepullbackoff digest sha256 dockerfile docker pushed latest imageid quay gcr ghcr alpine
    distroless layers manifest
= path version

port socket puerto
    tcp udp listen bind exposed nodeport ingress firewall loopback targetport hostport clusterip nat
    forwarded published tls
= number

namespace tenant project cluster namensraum espace espacio
    kubesystem staging production prod kube quota isolation scope dev sandbox preprod

incident outage downtime disruption ausfall störung störungen vorfall panne interruption caída interrupción
    degraded unavailable failover crashed postmortem mitigated restored recovered affected unreachable
    timeout escalated sev1 sev2 pager ausgefallen wiederhergestellt rétabli indisponible restablecido
= time duration code

alert alarm notification alerta notificación benachrichtigung benachrichtigungen
    firing triggered pager paged acknowledged threshold breached critical resolved silenced ausgelöst
    déclenché disparado

log message entry protokoll meldung meldungen eintrag journal journaux registro mensaje
    error warn info debug fatal trace stderr stdout audit rotated rotation verbose syslog journald stacktrace
= time code

latency delay timeout latenz antwortzeit latence latencia tiempo
    milliseconds p50 p95 p99 slow timed elapsed percentile roundtrip rtt
= duration quantity

timeout zeitüberschreitung zeitüberschreitungen expiration
    timed deadline exceeded expired elapsed retry abgelaufen agotado hung hang stalled unresponsive slow
    keepalive
= duration

retry attempt wiederholung wiederholungen versuch tentative essai reintento intento
    retried backoff exponential jitter versucht réessayé reintentado reattempt requeued reconnect resend
    resent redelivered
= number duration

connection network link verbindung verbindungen netzwerk netz connexion réseau conexión red
    tcp udp tls ssl dns socket vpn wifi ethernet disconnected connected refused reset handshake latency
    packet bandwidth subnet gateway firewall router proxy getrennt verbunden déconnecté desconectado
= code

login logon signin session anmeldung anmeldungen einloggen connexion inicio acceso
    logged sshd authenticated password accepted invalid lockout publickey logout angemeldet connecté
= name time

ip address client peer adresse adressen dirección
    ipv4 ipv6 subnet cidr gateway dhcp remote localhost hostname router interface eth0 wan lan mask octet
= code path

backup restore recovery snapshot sicherung sicherungen wiederherstellung wiederherstellungen sauvegarde
restauration respaldo restauración copia
    archived retention rpo rto replicated mirrored incremental gesichert dump offsite nightly tape copied
    replica
= date duration

deployment rollout bereitstellung bereitstellungen déploiement despliegue
    deployed rolled rollback reverted canary staging production shipped promoted pipeline ausgerollt
    desplegado
= version time

monitoring metric measurement kennzahl messwert überwachung überwachungen métrique indicateur surveillance
métrica indicador
    gauge counter histogram dashboard prometheus grafana average median percentile throughput durchschnitt
    moyenne promedio
= number percent quantity

certificate key encryption tls zertifikat schlüssel schlüsseln clé certificado clave
    ssl x509 expires issuer renewed rsa ecdsa signed pem fingerprint handshake ablauf
= date code

traffic load request volume verkehr anfragen trafic charge tráfico
    rps qps visitors hits peak spike throughput bandwidth visits surge congestion concurrent concurrency
    hourly sessions pageviews ingress egress
= number quantity

job batch cron process pipeline prozess verarbeitung verarbeitungen tâche traitement proceso tarea
    scheduled queued completed pid worker finished killed daemon spawned exited crontab executed executor
    cronjob subprocess zombie thread
= state time

queue message topic warteschlange cola
    kafka rabbitmq sqs backlog consumer producer broker lag partition offset deadletter
= number
"""

TABLES = (
    _SOFTWARE,
    _OPERATIONS,
)
