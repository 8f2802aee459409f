"""Games, medicine, science, law, travel, sport, food, culture: fields with words of their own. Tables, to be read as summarizing/relevance/kinds.py says; refuses everything but words."""

# --- Games and fantasy ----------------------------------------------------------------------------------

_GAMES_AND_FANTASY = """
creature monster monstern beast animal animaux boss kreatur kreaturen ungeheuer ungeheuern wesen monstre bête
criatura monstruo bestia
    dragon goblin orc troll wolf wolves bear spider ghost skeleton zombie vampire werewolf demon giant ogre
    serpent hydra griffin basilisk wyrm slime wraith ghoul imp elemental golem drache riese geist dämon
    spinne loup fantôme araignée lobo fantasma demonio araña kraken sphinx minotaur chimera phoenix unicorn
    harpy gargoyle banshee mummy lich cyclops cockatrice leviathan

weakness vulnerability vulnerable schwäche schwächen schwachstelle schwachstellen anfällig faiblesse
vulnérabilité debilidad vulnerabilidad
    weak fire frost cold silver sunlight holy lightning fears afraid hates susceptible resistant resistance
    immune immunity empfindlich feuer silber feu argent craint fuego plata teme

ability skill talent power fähigkeit fähigkeiten fertigkeit fertigkeiten begabung begabungen kraft compétence
capacité pouvoir habilidad poder capacidad
    cast attack strike heal stun dash stealth cooldown mana stamina passive proficiency trained mastery perk
    zaubert heilt angriff lance soigne attaque lanza cura ataque
= number

spell magic charm curse ritual zauber zaubern magie zauberspruch fluch sortilège malédiction hechizo magia
conjuro maldición
    cast fireball incantation scroll mana enchantment enchanted wizard witch rune potion summon conjure
    illusion ward arcane sorcery feuerball beschwört hexe sorcière bruja
= number duration

weapon armor armour arms waffe waffen rüstung rüstungen arme armure arma armadura
    sword axe bow dagger spear mace hammer staff wand shield helmet crossbow arrow lance halberd blade rifle
    pistol gun musket cannon chainmail breastplate gauntlets schwert axt bogen dolch speer schild helm épée
    hache arc dague bouclier casque espada hacha arco daga escudo casco scimitar sabre saber rapier club
    sling trident katana whip cutlass javelin catapult lanza pistolet
= number

item object equipment gear artefact artifact relic gegenstand gegenständen ausrüstung ausrüstungen artefakt
objet équipement relique objeto equipo reliquia artefacto
    sword axe bow dagger shield ring amulet potion scroll cloak boots helmet staff wand orb key lantern rope
    gem necklace crown chalice belt gloves robe torch trank schriftrolle umhang stiefel anneau parchemin cape
    anillo poción pergamino capa elixir compass lamp flask brooch bracelet idol skull banner horn flute
= name

loot drop treasure hoard beute schatz fundstück butin trésor botín tesoro
    chest gold coins gems jewels corpse carries yields hides pelts scales rare legendary truhe edelstein
    coffre pierreries cofre joyas
= number percent

quest mission task adventure aufgabe aufgaben auftrag abenteuer quête aventure misión aventura encargo
búsqueda
    retrieve rescue escort slay defeat collect deliver investigate recover objective reward gather kill seek
    besiegt rettet befreit sammelt vaincre sauver récupérer derrotar rescatar recuperar entregar
= name

reward experience xp loot belohnung belohnungen erfahrung erfahrungen récompense recompensa experiencia
    gold coins earns gains receive awarded exp reputation bounty erhält gewinnt reçoit gagne recibe gana
= number money

vendor merchant shop trader seller händler verkäufer laden marchand vendeur boutique vendedor mercader
comerciante
    sells buys trades stocks stall barter prices peddler verkauft kauft handelt vend achète compra
= money name

recipe crafting formula blueprint rezept rezeptur herstellung herstellungen recette fabrication receta
fabricación
    brew mix combine ingredients cook forge smelt alchemy gebraut mischen mélanger mezclar
= quantity number

potion elixir trank heiltrank breuvage poción
    heals restores mana vial flask bottle brewed antidote poison invisibility draught tonic philtre drink

ingredient reagent herb zutat zutaten kräuter hierba
    flour sugar salt butter milk eggs oil water yeast pepper garlic onion tomato cheese cream honey vinegar
    root petal mushroom berries spices mehl zucker salz milch eier hefe farine sucre sel beurre lait œufs
    harina azúcar sal mantequilla leche huevos
= quantity

level stage tier difficulty stufe rang schwierigkeit schwierigkeiten niveau difficulté palier nivel
dificultad
    lvl beginner novice intermediate expert elite advanced easy normal leicht schwer facile difficile difícil
= number

statistic attribute stat hitpoints werte statistique atributo estadística
    strength dexterity constitution intelligence wisdom charisma agility stamina hp mp armor damage health
    mana stärke geschick dextérité fuerza destreza
= number

damage harm schaden dégâts daño
    hit hurts wounds poison bleeding burn strikes inflicts verletzt inflige
= number

dungeon cave lair labyrinth verlies höhle kerker donjon grotte caverne mazmorra cueva guarida
    crypt tomb catacomb tunnel mine ruins trap trapdoor chamber entrance guarded vault gruft stollen piège
    tombeau cripta trampa tumba

game gameplay rule player spiel regel regeln spieler jeu règle joueur juego regla jugador
    cards board token turn round roll score wins pawn deck würfel karten zug runde cartes plateau dados
    cartas turno tablero
= number

prophecy omen vision prophezeiung prophezeiungen vorzeichen prophétie présage profecía presagio
    foretold prophesied oracle seer predicted foresaw dream chosen vorhergesagt orakel prédit predicho
"""

# --- Medicine -------------------------------------------------------------------------------------------

_MEDICINE = """
symptom complaint sign beschwerden anzeichen síntoma signo
    fever cough headache pain nausea vomiting rash dizziness fatigue swelling itching diarrhea diarrhoea
    bleeding shortness breath chills cramps weakness sore fieber husten schmerzen kopfschmerzen übelkeit
    schwindel fièvre toux douleur nausée vertige fiebre dolor mareo vertigo numbness tremor hoarseness
    palpitations sneezing sweating dizzy constipation insomnia blister jaundice wheezing

disease illness diagnosis condition disorder krankheit krankheiten diagnose erkrankung erkrankungen maladie
diagnostic trouble enfermedad diagnóstico trastorno
    diabetes cancer asthma influenza flu pneumonia infection hypertension stroke tumor tumour arthritis
    malaria measles tuberculosis hepatitis anemia migraine depression dementia fracture covid krebs grippe
    infarkt gripe infección rougeole varicelle masern windpocken scharlach lepra scurvy smallpox cholera
    typhoid leprosy rabies sarampión viruela eczema epilepsy

drug medication medicine prescription remedy medikament arzneimittel arzneimitteln wirkstoff medizin
médicament remède medicamento fármaco remedio
    tablet capsule pill syrup ointment injection vaccine antibiotic aspirin ibuprofen paracetamol insulin
    penicillin amoxicillin prescribed pharmacy metformin morphine tablette salbe tropfen impfstoff comprimé
    pommade gouttes pastilla pomada vacuna gotas
= quantity

dose dosage administration dosis dosierung dosierungen einnahme posologie dosificación
    mg ml mcg micrograms daily twice orally intravenous tablets drops injection spoonful täglich einnehmen
    comprimés tomar
= quantity duration

side adverse interaction contraindication nebenwirkung nebenwirkungen wechselwirkung wechselwirkungen
gegenanzeige indésirable effet secundario adverso interacción
    drowsiness nausea rash headache dizziness vomiting allergic anaphylaxis constipation diarrhea insomnia
    dry bleeding übelkeit ausschlag schwindel kopfschmerzen somnolence nausées vertiges somnolencia mareos

treatment therapy surgery procedure behandlung behandlungen therapie operation eingriff traitement chirurgie
tratamiento terapia cirugía operación
    chemotherapy radiation transplant physiotherapy rehabilitation bandage operated surgical antibiotics
    dialysis vaccinated hospitalised hospitalized discharged stitches behandelt operiert soigné opéré tratado
    operado

allergy intolerance allergen allergie unverträglichkeit unverträglichkeiten alergia intolerancia alérgeno
    allergic peanut gluten lactose nuts pollen shellfish penicillin eggs sesame nüsse erdnuss arachides noix
    cacahuete nueces

patient medical history hospital krankenhaus klinik anamnese hôpital hôpitaux clinique paciente clínica
    admitted discharged ward clinic ambulance emergency nurse surgeon physician smoker allergies aufgenommen
    entlassen admis ingresado

anatomy body organ körper anatomie corps anatomía cuerpo órgano
    heart lung liver kidney brain stomach skin bone muscle spine knee shoulder artery vein nerve skull herz
    leber niere knochen cœur poumon foie corazón pulmón hígado hueso

vital blood blutdruck puls blutwert labor tension sang pouls analyse sangre pulso presión
    pulse systolic diastolic heartbeat hemoglobin glucose cholesterol oxygen saturation bpm mmhg bmi
    creatinine leukocytes blutzucker glycémie glucosa
= quantity number

nutrition calorie diet nutrient nährwert ernährung kalorien diät régime nutrición dieta caloría
    kcal protein carbohydrate fat fibre fiber sugar vitamin sodium cholesterol saturated vegan vegetarian
    eiweiß fett ballaststoffe glucides lipides proteína grasa fibra
= quantity
"""

# --- Science --------------------------------------------------------------------------------------------

_SCIENCE = """
measurement reading observation data messung messungen messwert beobachtung beobachtungen mesure relevé
medición observación medida
    measured recorded observed sensor sampled calibrated average median instrument gemessen medido
= quantity number

result finding outcome conclusion ergebnis ergebnissen ergebnisse befund erkenntnis résultat resultado
hallazgo
    significant increased decreased correlation correlated confirmed revealed demonstrated concluded suggests
    compared signifikant gezeigt significatif montré significativo mostró
= percent number

experiment study trial research versuch studie studien forschung forschungen untersuchung untersuchungen
expérience étude recherche experimento estudio investigación ensayo
    participants sample placebo randomized randomised hypothesis cohort survey measured laboratory blinded
    probanden stichprobe échantillon muestra
= number

species animal animaux wildlife fauna tierart tierarten tiere espèce faune especie
    bird fish mammal insect reptile frog deer fox hare rabbit wolf bear eagle owl salmon trout whale dolphin
    butterfly beetle bee snake turtle horse cow sheep goat pig hen dog cat vogel fisch hirsch fuchs adler
    oiseau poisson cerf renard aigle pájaro pez ciervo zorro águila walrus seal otter badger igel squirrel
    hedgehog mouse rat bat lynx boar goose duck swan heron stork crow raven pike carp eel shark crab lobster
    spider ant lizard elephant lion tiger monkey camel

plant tree flower flora vegetation pflanze pflanzen baum blume blumen arbre fleur planta árbol flor
vegetación
    oak beech pine birch spruce maple willow ash rose tulip orchid fern moss grass shrub herb seed leaf
    blossom fungus eiche kiefer birke chêne hêtre pin bouleau roble pino abedul chestnut walnut hazelnut
    nettle dandelion clover thistle ivy poppy daisy lily sunflower lavender cactus reed alder elm cedar
    cypress fir hazel juniper

bird vogel oiseau oiseaux ave pájaro
    lark sparrow robin blackbird thrush finch swallow eagle hawk falcon owl heron stork crane goose duck swan
    gull crow raven magpie pigeon dove woodpecker cuckoo kingfisher penguin parrot hen rooster adler eule
    amsel taube aigle hibou águila

fish fisch poisson pez pescado
    salmon trout pike perch carp eel cod tuna mackerel haddock sturgeon shark sardine anchovy plaice halibut
    lachs forelle hecht saumon truite thon trucha atún bacalao

chemical substance element compound stoff chemikalie verbindung verbindungen composé sustancia elemento
compuesto
    oxygen hydrogen nitrogen carbon sodium chlorine sulfur sulphur acid mercury zinc ammonia ethanol methane
    solvent molecule sauerstoff wasserstoff stickstoff säure azote oxígeno hidrógeno ácido

mineral rock ore metal geology gestein erz roche minerai roca
    iron copper gold silver tin coal granite limestone basalt quartz marble slate sandstone clay gravel salt
    mine mined quarry eisen kupfer kohle kalkstein fer cuivre charbon calcaire hierro cobre carbón caliza
    cobalt titanium nickel lithium platinum aluminium bauxite gypsum chalk flint obsidian diamond ruby
    emerald sapphire uranium

planet star astronomy space weltraum stern astronomie étoile espace estrella planeta astronomía espacio
    moon sun venus jupiter saturn orbit comet asteroid galaxy nebula eclipse telescope satellite rocket
    astronaut nasa sonne lune soleil luna sol
= quantity

unit scale einheit einheiten maßstab échelle unidad escala
    metre meter gram kelvin ampere mole joule watt hertz pascal volt inch pound litre celsius

formula equation theorem formel formeln gleichung gleichungen satz ecuación teorema
    equals proportional constant derivative integral proof lemma axiom sum squared coefficient

number count quantity amount figure total zahl zahlen anzahl menge mengen nombre quantité número cantidad
cifra
    dozen hundred thousand million billion twelve twenty thirty forty fifty sixty dutzend hundert tausend
    millionen cent mille douzaine cien mil docena
= number quantity

percentage share proportion ratio anteil prozent verhältnis pourcentage porcentaje proporción cuota
    percent pct half quarter majority minority fraction hälfte drittel moitié tiers mitad tercio
= percent

growth increase decrease trend change wachstum anstieg rückgang croissance hausse baisse crecimiento aumento
descenso
    grew rose declined dropped doubled tripled halved surged soared plunged gained lost stieg sank verdoppelt
    augmenté diminué creció cayó duplicó
= percent number

statistics average mean survey statistik durchschnitt umfrage statistique moyenne sondage estadística
promedio encuesta
    median respondents sample percent deviation variance befragte interrogés encuestados quartile percentile
    correlation significance histogram outlier polled
= number percent

climate environment pollution klima umwelt verschmutzung verschmutzungen environnement clima medio
contaminación
    warming emissions carbon greenhouse co2 ozone recycling biodiversity renewable drought glacier footprint
    emissionen emisiones
= quantity percent

weather forecast wetter vorhersage wettervorhersage météo prévision pronóstico
    rain rainy sunny cloudy clouds snow snowfall wind windy storm fog hail thunderstorm showers humid
    humidity frost drizzle gusts regen schnee bewölkt nebel gewitter pluie neige nuageux orage brouillard
    lluvia nieve nublado niebla
= quantity

energy fuel electricity resource brennstoff kraftstoff énergie carburant combustible energía
    coal gas petrol diesel nuclear solar wind hydroelectric biomass uranium hydrogen turbine reactor kohle
    erdöl charbon carbón petróleo
= quantity

agriculture farming crop harvest landwirtschaft landwirtschaften ernte anbau récolte culture agricultura
cosecha cultivo
    wheat barley rye oats corn maize potatoes rice grapes vineyard cattle sheep livestock orchard plough
    field irrigation fertilizer weizen gerste kartoffeln blé orge vigne trigo cebada viña
= quantity
"""

# --- Law ------------------------------------------------------------------------------------------------

_LAW = """
law regulation statute rule legislation ordinance gesetz verordnung verordnungen vorschrift regel regeln
satzung satzungen loi règlement règle réglementation ley reglamento norma regla
    act article section paragraph subsection pursuant decree directive bylaw provision statutory prohibited
    permitted enacted absatz artikel gemäß paragraf alinéa décret conformément artículo apartado decreto
= code

obligation duty responsibility pflicht pflichten verpflichtung verpflichtungen devoir obligación deber
    shall required obliged obligated undertakes ensure comply responsible mandatory bound muss verpflichtet
    sicherstellen doit tenu debe obligado

right entitlement claim rechte anspruch droits derecho
    entitled permitted reserves exercise waive refuse revoke berechtigt titulaire autorisé facultado

prohibition ban forbidden restriction verbot einschränkung einschränkungen interdiction prohibición
restricción
    prohibited disallowed unlawful illegal untersagt verboten unzulässig interdit défendu prohibido

clause article section paragraph provision klausel klauseln absatz abschnitt bestimmung bestimmungen alinéa
disposition cláusula artículo apartado disposición
    hereby herein hereunder notwithstanding subsection indemnify severability warranties jurisdiction
    pursuant
= code

contract party term agreement vertrag laufzeit vertragspartei contrat durée contrato vigencia
    lessor lessee licensor licensee seller buyer purchaser employer employee undersigned renews terminates
    effective mieter vermieter auftraggeber auftragnehmer bailleur locataire arrendador arrendatario
= date duration money

liability indemnity haftung haftungen schadenersatz responsabilité indemnité responsabilidad indemnización
    liable negligence damages indemnify harmless consequential haftet fahrlässigkeit vorsatz negligencia
= money

lawsuit case court trial verdict klage klagen prozess gericht urteil procès tribunal tribunaux jugement
demanda juicio sentencia
    plaintiff defendant judge jury appeal sued convicted acquitted sentenced guilty witness testimony
    prosecutor ruled kläger beklagter berufung zeuge plaignant accusé juge témoin demandante acusado juez
    testigo
= date code

exception exemption exclusion ausnahme ausnahmen befreiung befreiungen ausschluss excepción exención
    unless except excluding exempt notwithstanding ausgenommen sofern sauf hormis salvo excepto

privacy protection datenschutz confidentialité privacidad protección
    gdpr dsgvo rgpd consent controller processor anonymized anonymised cookies retention erasure confidential
    einwilligung verarbeitung consentement consentimiento

patent trademark intellectual property brevet
    invented filed infringement registered royalty inventor angemeldet déposé registrada copyrighted claims
    expires assignee uspto
= code

confidentiality secrecy nda geheimhaltung vertraulichkeit confidentialité confidencialidad
    disclose disclosure confidential secret nondisclosure vertraulich confidentiel confidencial classified
    undisclosed proprietary leaked embargoed trade redacted privileged

notice announcement notification bekanntmachung bekanntmachungen mitteilung mitteilungen avis annonce aviso
anuncio
    announced informed notified published hereby angekündigt anunciado circular bulletin proclaimed declared
    memo newsletter press

document certificate form record dokument unterlagen urkunde formular formulaire dossier documento formulario
certificado
    passport licence permit visa attestation affidavit deed archive manuscript letter charter application
    report reisepass ausweis antrag passeport pasaporte

complaint appeal objection beschwerde einspruch widerspruch réclamation recours opposition queja recurso
reclamación
    complained contested protested disputed widersprochen recurrido grievance ombudsman dissatisfied rejects
    escalated lodged refund

evidence proof beweis nachweis preuve prueba evidencia
    witness fingerprint confession testimony exhibit dna alibi footprint proven zeuge geständnis témoin aveu
    testigo confesión
"""

# --- Travel and transport -------------------------------------------------------------------------------

_TRAVEL_AND_TRANSPORT = """
transport transit mobility verkehr verkehrsmittel
    train bus tram metro subway ferry taxi bicycle coach shuttle ticket fare zug straßenbahn fähre autobus
    tranvía tren

train railway rail station zug züge bahn bahnhof gare chemin tren ferrocarril estación
    departs departure arrives arrival platform track carriage express intercity locomotive timetable
    conductor abfahrt ankunft gleis arrivée quai voie salida llegada andén vía
= time code

flight airline airport plane aircraft flug flughafen flugzeug vol aéroport avion vuelo aeropuerto
    departs departure arrival gate boarding terminal runway takeoff luggage baggage layover stopover airways
    abflug gepäck décollage bagages equipaje despegue
= code time

bus tram metro stop haltestelle buslinie arrêt ligne parada línea
    terminus route depot fare interchange endstation correspondance trasbordo trolley tramway station
    platform departs coach minibus nightbus
= time code number

ticket fare reservation booking fahrkarte buchung buchungen reservierung reservierungen billet reserva
entrada
    reserved seat passenger refundable concession gebucht sitzplatz siège reservado asiento
= money code

distance range entfernung entfernungen reichweite portée distancia alcance
    km kilometre kilometer mile metres league entfernt lejos yards furlong nautical lightyears walk drive
    radius
= quantity

luggage baggage packing gepäck bagage equipaje
    suitcase backpack bag carryon trolley kg koffer rucksack valise maleta mochila
= quantity

parking car parkplatz parken stationnement aparcamiento estacionamiento
    garage spaces underground meter tiefgarage spots permit valet attendant towing disabled barrier
    multistorey
= money number

visa passport entry immigration einreise visum reisepass entrée visado pasaporte entrada
    embassy consulate customs border permit botschaft konsulat ambassade embajada immigrant residency
    consular tourist biometric
= duration

closure roadworks detour sperrung sperrungen baustelle umleitung umleitungen fermeture travaux travail cierre
obras
    closed blocked diverted construction resurfacing repairs gesperrt fermé cortado barricaded impassable
    excavation shutdown roadblock shut
= date
"""

# --- Sport ----------------------------------------------------------------------------------------------

_SPORT = """
score result standing spielstand ergebnis ergebnissen tabelle résultat classement marcador resultado
clasificación
    won lost beat beaten defeated drew draw victory goal win tied gewann verlor sieg unentschieden tor tore
    gagné perdu victoire nul ganó perdió gol empate
= number

player athlete team squad coach spieler sportler mannschaft mannschaften trainer joueur équipe entraîneur
jugador atleta equipo entrenador
    striker goalkeeper midfielder defender captain scored substitute quarterback pitcher batsman signed
    transfer stürmer torwart gardien attaquant portero delantero
= person name

match competition tournament race championship league game spiel wettkampf turnier rennen meisterschaft
meisterschaften tournoi course championnat partido competición torneo carrera campeonato
    semifinal quarterfinal cup kickoff halftime marathon sprint olympics medal qualified qualifying round
    fixture stadium pokal halbfinale demi copa
= date

record best achievement rekord bestleistung bestleistungen performance marca logro
    fastest highest longest largest oldest tallest youngest deepest heaviest broke champion schnellste
    höchste längste größte mayor
= number quantity

winner champion medalist sieger siegern gewinner meister vainqueur gagnant ganador campeón vencedor
    won wins silver bronze trophy title crowned medal triumph gewann siegte gagné remporté ganó
= person name

sport discipline sportart deporte disciplina
    football soccer basketball tennis golf cricket rugby hockey swimming cycling skiing athletics boxing judo
    volleyball handball rowing sailing fußball schwimmen natation cyclisme fútbol natación ciclismo fencing
    archery wrestling gymnastics surfing badminton squash climbing karate triathlon biathlon curling

training exercise workout übung übungen entraînement exercice entrenamiento ejercicio
    repetitions squats pushups stretching warmup jogging lifting cardio wiederholungen repeticiones
= number duration
"""

# --- Food -----------------------------------------------------------------------------------------------

_FOOD = """
instrument musikinstrument instrumento
    piano violin viola cello guitar flute oboe clarinet trumpet trombone tuba horn harp drum organ lute
    harpsichord accordion saxophone banjo klavier geige flöte violon clavier orgue guitarra

food dish meal cuisine menu speise speisen gericht essen speisekarte plat repas nourriture plato comida
cocina
    soup stew bread cheese roast pie cake salad pasta pizza rice sausage fish chicken beef pork dessert
    breakfast lunch dinner sandwich pudding suppe brot braten kuchen wurst pain rôti gâteau sopa pan asado
    pastel

drink beverage getränk getränken boisson bebida
    wine beer ale mead cider whisky whiskey brandy coffee tea juice milk water lemonade cocktail rum vodka
    wein bier kaffee tee saft vin café jus vino cerveza zumo

fruit vegetable obst gemüse légume fruta verdura
    apple pear plum cherry grape orange lemon banana strawberry carrot potato cabbage onion tomato bean pea
    lettuce cucumber apfel birne kirsche kartoffel pomme poire cerise carotte manzana pera cereza zanahoria
    eggplant aubergine zucchini mango pineapple peach apricot raspberry blueberry melon kiwi fig spinach
    broccoli leek pumpkin radish beetroot celery asparagus

cooking preparation baking kochen zubereitung zubereitungen backen cuisson cocción preparación elaboración
    boil simmer fry bake roast stir chop slice knead whisk preheat oven grill marinate peel mix heat rühren
    backofen schneiden mélanger couper cortar mezclar horno
= duration quantity

serving portion portionen ergibt ración porción
    slices guests feeds pieces plates bowls cups scoops loaf loaves
= number

taste flavor flavour geschmack aroma goût saveur sabor gusto
    sweet sour bitter salty spicy umami smoky fruity tart süß sauer salzig sucré salé amer dulce salado
    amargo
"""

# --- Culture --------------------------------------------------------------------------------------------

_CULTURE = """
book novel literature publication work buch bücher roman werk livre œuvre littérature libro novela obra
literatura
    published author chapter volume poem poetry essay anthology bestseller publisher paperback trilogy
    manuscript gedicht band verlag tome éditeur poema tomo editorial
= name date

film movie series television cinema kino serie fernsehen película cine
    directed director starring screenplay episode sequel trailer documentary cast actor regie schauspieler
    folge réalisateur episodio temporada
= name date

music song album lied lieder musik musique chanson morceau música canción disco
    band singer guitar piano violin drums melody lyrics symphony concerto opera orchestra choir hymn ballad
    chorus jazz rock sang sung gitarre klavier orchester chœur guitarra coro
= name

art painting sculpture artwork kunst gemälde kunstwerk skulptur peinture tableau arte pintura cuadro
escultura
    painter portrait fresco mural canvas statue engraving exhibited museum gallery watercolour drawing mosaic
    carved gemalt ausgestellt peint exposé pintado
= name date

tradition traditionen custom culture ritual brauch sitte sitten kultur coutume rite costumbre tradición
cultura rito
    festival dance costume ceremony ancestral feast superstition procession tanz tracht danse danza baile

language dialect translation sprache sprachen mundart übersetzung übersetzungen langue traduction idioma
lengua dialecto traducción
    english german french spanish italian latin greek russian chinese japanese arabic portuguese speaks
    spoken translated fluent native englisch deutsch französisch spanisch anglais allemand inglés alemán
    francés español swahili hindi turkish dutch swedish polish hebrew welsh gaelic korean persian bengali

quote quotation statement saying zitat aussage aussagen spruch citation déclaration parole cita declaración
frase dicho
    said told declared remarked according announced sagte erklärte laut zufolge selon dijo afirmó
= person

opinion view criticism review rating meinung meinungen kritik bewertung bewertungen ansicht avis critique
crítica valoración
    argued criticised criticized praised recommended stars favourite disappointing excellent terrible meint
    glaubt pense croit estime piensa cree
= number

definition term meaning glossary abbreviation acronym abkürzung abkürzungen sigle abréviation sigla begriff
bedeutung bedeutungen signification definición término significado
    defined refers denotes bedeutet bezeichnet signifie significa synonym etymology glossed nomenclature
= term

category type kind group kategorie gattung gattungen sorte catégorie genre categoría género tipo
    classified divided subdivided belongs consists comprises eingeteilt gehört divise clasifica

symbol emblem flag arms wappen zeichen fahne drapeau blason símbolo emblema bandera escudo
    crest banner coat shield sigil heraldic seal logo insignia siegel bannière estandarte

furniture furnishing möbel einrichtung einrichtungen meuble mobilier mueble
    chair table desk bed sofa couch wardrobe cupboard shelf bookcase drawer bench stool armchair dresser
    mattress lamp stuhl tisch schrank regal chaise armoire étagère silla mesa armario

clothing garment dress fashion kleidung kleidungen tracht vêtement ropa vestido moda
    shirt trousers jacket coat shoes boots cloak robe skirt gloves scarf uniform wore wears hemd hose mantel
    schuhe chemise manteau chaussures camisa abrigo zapatos

appearance look description aussehen beschreibung beschreibungen apparence aspecto apariencia descripción
    hair eyes beard scar slim wears tattoo pale haare augen bart narbe cheveux yeux barbe cicatrice pelo ojos
    barba cicatriz

personality trait character behaviour behavior charakter eigenschaft eigenschaften verhalten caractère
comportement comportamiento
    cruel honest greedy brave shy stubborn generous loyal friendly arrogant curious lazy jealous freundlich
    mutig geizig gentil avare courageux amable valiente avaro

website site homepage link webseite internetseite seite página sitio web
    http www domain url portal blog webpage forum wiki browser hyperlink
= url

email mail mailadresse courriel messagerie correo
    inbox mailto sender recipient mailbox gmail outlook newsletter smtp attachment cc
= email

phone telephone telefon telefonnummer handy mobil portable teléfono móvil
    hotline fax dial extension cellphone landline voicemail callback switchboard dialled sms ringing
= phone

identifier id number code key kennung kennungen nummer kennzeichen identifiant numéro référence identificador
referencia
    uuid serial barcode isbn iban sku ref aktenzeichen seriennummer guid hash checksum badge registration
    plate ssn customer
= code

media press newspaper magazine medien zeitung zeitungen journal journaux medios prensa periódico
    reported reporter journalist interview headline article broadcast radio television podcast berichtete
    artikel

course lesson exam fach kurs unterricht prüfung prüfungen matière cours examen asignatura curso
    mathematics physics chemistry biology history geography lecture syllabus credits homework grade passed
    enrolled mathematik physik mathématiques matemáticas
= date number

grade assessment note noten zensur bewertung bewertungen notation nota calificación evaluación
    passed excellent distinction gpa percentage bestanden mention aprobado suspenso honours merit marked
    examiner resit transcript score
= number percent

application admission registration enrolment bewerbung bewerbungen anmeldung anmeldungen zulassung
zulassungen candidature inscription solicitud inscripción admisión
    apply applicants applied register enrol enroll submit eligible cv resume bewerben postuler solicitar
= date

qualification skill experience competence qualifikation kenntnisse erfahrung erfahrungen cualificación
experiencia conocimientos
    degree diploma certified fluent proficient bachelor master trained knowledge abschluss diplôme maîtrise
    titulado dominio
= duration

construction renovation repair restoration bau umbau renovierung renovierungen sanierung sanierungen travaux
travail construcción reforma restauración
    built rebuilt renovated restored demolished extended architect completed scaffold foundations gebaut
    renoviert saniert abgerissen construit rénové démoli construido renovado demolido
= date money

infrastructure utility versorgung versorgungen infrastruktur infraestructura suministro
    road bridge sewer pipeline canal railway cable fibre broadband electricity water grid dam leitung
    kanalisation

noise sound volume lärm geräusch lautstärke bruit ruido sonido
    decibel db loud quiet silent laut leise silencieux buzzing humming acoustic rattle squeak whistling
    soundproof

facility amenity ausstattung ausstattungen einrichtung einrichtungen équipement prestation instalación
    pool sauna gym wifi parking playground garden kitchen lift elevator toilets shower wheelchair laundry
    schwimmbad aufzug spielplatz piscine ascenseur piscina ascensor

accessibility disability barrier barrierefreiheit behinderung behinderungen accessibilité handicap
accesibilidad discapacidad
    wheelchair ramp lift elevator braille screenreader captions barrierefrei rollstuhl fauteuil silla rampa

subscription plan membership abonnement mitgliedschaft mitgliedschaften abo adhésion forfait suscripción
membresía abono
    monthly yearly annual trial premium basic renew cancel tier upgrade monatlich kündbar mensuel mensual
= money duration

comparison difference alternative vergleich unterschied unterschiede comparaison comparación diferencia
alternativa
    whereas unlike versus compared analogous comparable outperforms contrast dagegen hingegen contrairement

dependence relationship zusammenhang verbindung verbindungen lien rapport vínculo relación
    linked connected related depends influences correlates associated verbunden lié vinculado differs similar
    identical likewise faster slower cheaper larger smaller

priority importance urgency priorität prioritäten dringlichkeit wichtigkeit priorité urgence prioridad
importancia urgencia
    urgent critical p0 p1 p2 immediately asap blocker dringend wichtig sofort élevé

quality qualität qualitäten qualité calidad
    excellent damaged mint flawless worn scratched tested inspected mangelhaft mauvais malo
"""

TABLES = (
    _GAMES_AND_FANTASY,
    _MEDICINE,
    _SCIENCE,
    _LAW,
    _TRAVEL_AND_TRANSPORT,
    _SPORT,
    _FOOD,
    _CULTURE,
)
