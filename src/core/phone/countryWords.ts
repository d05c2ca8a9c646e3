// What people write for countries, where neither Node nor libphonenumber knows it.

/** The codes of three letters that ISO 3166-1 gives the countries, with that of two where it is not their beginning. */
export const ALPHA3 =
	'ABWAW AFG AGOAO AIA ALAAX ALB ANDAD AREAE ARG ARMAM ASM ATGAG AUS AUTAT AZE BDIBI BEL BENBJ BESBQ BFA BGDBD BGR BHR BHSBS BIHBA BLM BLRBY BLZBZ BMU BOL BRA BRBBB BRNBN BTN BWA CAFCF CAN CCK CHE CHLCL CHNCN CIV CMR CODCD COGCG COKCK COL COMKM CPVCV CRI CUB CUWCW CXR CYMKY CYP CZE DEU DJI DMA DNKDK DOM DZA ECU EGY ERI ESHEH ESP ESTEE ETH FIN FJI FLKFK FRA FROFO FSMFM GAB GBR GEO GGY GHA GIB GINGN GLPGP GMB GNBGW GNQGQ GRC GRDGD GRLGL GTM GUFGF GUM GUYGY HKG HND HRV HTI HUN IDN IMN IND IOT IRLIE IRN IRQIQ ISL ISRIL ITA JAMJM JEY JOR JPN KAZKZ KEN KGZ KHM KIR KNA KORKR KWT LAO LBN LBRLR LBYLY LCA LIE LKA LSO LTU LUX LVA MACMO MAFMF MAR MCO MDA MDGMG MDVMV MEXMX MHL MKD MLI MLTMT MMR MNEME MNG MNPMP MOZMZ MRT MSR MTQMQ MUS MWI MYS MYTYT NAM NCL NER NFK NGA NIC NIUNU NLD NOR NPL NRU NZL OMN PAKPK PAN PER PHL PLWPW PNGPG POLPL PRI PRKKP PRTPT PRYPY PSE PYFPF QAT REU ROU RUS RWA SAU SDN SENSN SGP SHN SJM SLBSB SLE SLVSV SMR SOM SPMPM SRBRS SSD STP SURSR SVKSK SVNSI SWESE SWZSZ SXM SYCSC SYR TCA TCDTD TGO THA TJK TKL TKMTM TLS TON TTO TUNTN TURTR TUVTV TWN TZA UGA UKRUA URYUY USA UZB VAT VCT VEN VGB VIR VNM VUT WLFWF WSM XKX YEM ZAF ZMB ZWE';

/** Names that people write besides those that Node knows; Congo is two countries. */
export const OTHER_NAMES: Readonly<Record<string, string>> = {
	US: 'US, United States of America, America, Vereinigte Staaten von Amerika, États-Unis d’Amérique, Estados Unidos de América, Stati Uniti d’America, EE. UU., EUA',
	GB: 'UK, Great Britain, Britain, England, Scotland, Wales, Northern Ireland, N Ireland, Großbritannien, Grande-Bretagne, Gran Bretaña, Gran Bretagna, Groot-Brittannië, Wielka Brytania, Storbritannien, United Kingdom of Great Britain and Northern Ireland',
	...{ DE: 'D, BRD', NL: 'Holland, Olanda, Holanda, Hollande', AE: 'UAE, Emirates', TR: 'Turkey' },
	CZ: 'Czech Republic, Czech Rep, Tschechische Republik, République tchèque, República Checa, Česká republika',
	...{
		CN: 'PRC, PR China, People’s Republic of China, China People’s Republic of',
		HK: 'Hong Kong China',
	},
	TW: 'Republic of China, China Republic of, Taiwan China, Taiwan Province of China',
	...{
		KR: 'Korea, Korea South, S Korea',
		KP: 'Democratic People’s Republic of Korea, Korea Democratic People’s Republic of, Korea North, N Korea, DPRK',
	},
	...{
		CD: 'Democratic Republic of the Congo, Congo Democratic Republic of the, DRC, DR Congo, Congo, Kongo',
		CG: 'Republic of the Congo, Congo, Kongo',
	},
	...{ CI: 'Ivory Coast', CV: 'Cape Verde', TL: 'East Timor', SZ: 'Swaziland', MM: 'Burma' },
	...{
		MK: 'Macedonia',
		PS: 'Palestine, State of Palestine',
		ZA: 'RSA, S Africa',
		DO: 'Dominican Rep',
		VA: 'Vatican, Holy See',
		KG: 'Kyrgyz Republic',
	},
	RU: 'Russian Federation',
	...{ SK: 'Slovak Republic', SY: 'Syrian Arab Republic', BN: 'Brunei Darussalam' },
	...{ LA: 'Lao PDR, Lao People’s Democratic Republic', FK: 'Falkland Islands Malvinas' },
	...{ MO: 'Macau, Macao China', VI: 'Virgin Islands US', VG: 'Virgin Islands British' },
};

/** What the full name of a state has besides its name. */
export const FORMS =
	/(?<!\p{L})((bundes)?republik|r[eé]publi(c|que|ca)|repubblica|rep|federal|federated states|islamic|kingdom|united|arab|principality|grand duchy|sultanate|commonwealth|plurinational state|bolivarian|sar|de|du|di)(?!\p{L})/giu;

/** Words for a country in the name of a column. */
export const COUNTRY_WORDS =
	'country|ctry|cntry|nation|pa[ií]s|(?:code)?pays|paese|nazione|land(?:es|e|s)?(?:code|kode|kod|k(?:ü|ue)rzel|kenn[a-z]*)|l(?:ä|ae)nder[a-zäöüß]*|państwo|stát|země|krajina|ország|ülke|maa|riik|valsts|šalis|država|țar[aă]|negara|bansa|quốc gia|страна|країна|държава|χώρα|kraju|zemlja|ประเทศ|देश|ארץ|מדינה|کشور|ملک|البلد|الدولة|国家?|國家|국가|나라';
/** Those that name a part of one in some sheets, as a state of Germany. */
export const WIDE_WORDS = 'land|staat|kraj';
/** What may stand beside them where the column can say nothing but a country. */
export const BESIDE =
	'code|name|iso|alpha|region|phone|mobile|cell|telephone|number|full|short|value|label|text|title|display|calling|dial|dialing|dialling|prefix';
/** Columns of where someone was born, or of whoever looks after a place. */
export const OTHERS =
	'birth|geburt|geboort|naiss|nacim|nascim|nascita|urodz|nationality|citizen|club|manager|owner';
/** Columns that say where someone is, without accents; in others, the name of a country may be a person, a dish or a trip. */
export const PLACE =
	/add?res|anschrift|direcc|indirizz|morada|enderec|адрес|住所|כתובת|regio|residen[cz]|domicil|locat|lo[ck]ali|territ|(?<![^ ])(?:market|markt|marche|mercado|mercato|rynek)(?![^ ])|wohn|woon|zamieszk|standort|heimat/;

/** Columns of someone's town, without accents. Many are called like a country, so only a country behind the town counts, as in "Paris, France". */
export const TOWN =
	/^(?:(?:home|mailing|primary|contact|person|customer|lead|work) )?(?:city|town|(?:wohn)?ort|stadt|ville|commune|ciudad|citta|comune|cidade|miasto|plaats|stad|mesto)$/;

/** Columns in which a number is a calling code, and not the ID of a country. */
export const OF_CODE =
	/countr.*(code|dial|call)|prefix|prefij|prefiss|(calling|dial|diall?ing) code|l(ä|ae)ndervorwahl|(landes|auslands)vorwahl|indicatif|c[oó]d(igo)? (d[eo] )?pa[ií]s|(^| )int(l|ernational)? (code|vorwahl)|(phone|mobile|tel|whats ?app) code|(^| )(cc|ddi|idd|isd)( |$)/;
/** Those of calls, in which it is no number of ISO 3166. */
export const OF_CALLS =
	/phone|mobile|tel|prefix|prefij|prefiss|call|dial|vorwahl|indicatif|ddi|idd|isd/;

/** Where Land is a country, and no one has states of Germany in mind. */
export const COUNTRIES_WITH_LAND = ['NL', 'BE', 'SE', 'NO', 'DK', 'AT', 'CH', 'LI', 'LU'];
export const STATES_OF_GERMANY =
	/^\W*(BW|BY|BE|BB|HB|HH|HE|MV|NI|NW|NRW|RP|SL|SN|ST|SH|TH|Baden\W?W(ü|ue)rttemberg|(Freistaat )?(Bayern|Sachsen|Th(ü|ue)ringen)|Berlin|Brandenburg|Bremen|Hamburg|Hessen|Mecklenburg\W?Vorpommern|Niedersachsen|Nordrhein\W?Westfalen|Rheinland\W?Pfalz|Saarland|Sachsen\W?Anhalt|Schleswig\W?Holstein)\W*$/i;

/** What stands in a cell where nothing was entered. */
export const NONE =
	/^[^\p{L}\p{N}\p{RI}]*$|^[^\p{L}\p{N}]*(0|n[^\p{L}\p{N}]a|none|null|nil|undefined|unknown|tb[acd]|not (specified|provided|available|set|known)|unspecified|k[^\p{L}\p{N}]?A|keine Angabe|unbekannt|inconnu|desconocido|desconhecido|onbekend)[^\p{L}\p{N}]*$|^[^\p{L}\p{N}]*(please )?(select|choose)(?!.*[\n\r\u2028\u2029][^\p{L}\p{N}]*[\p{L}\p{N}])/iu;
/** The code of Namibia, with which many say that nothing was entered. */
export const NAMIBIA = /^[^\p{L}\p{N}]*na[^\p{L}\p{N}]*$/iu;
