// What people write for countries, where neither Node nor libphonenumber knows it.

/** The codes of three letters that ISO 3166-1 gives the countries, each with that of two. */
export const ALPHA3 =
	'ABWAW AFGAF AGOAO AIAAI ALAAX ALBAL ANDAD AREAE ARGAR ARMAM ASMAS ATGAG AUSAU AUTAT AZEAZ BDIBI BELBE BENBJ BESBQ BFABF BGDBD BGRBG BHRBH BHSBS BIHBA BLMBL BLRBY BLZBZ BMUBM BOLBO BRABR BRBBB BRNBN BTNBT BWABW CAFCF CANCA CCKCC CHECH CHLCL CHNCN CIVCI CMRCM CODCD COGCG COKCK COLCO COMKM CPVCV CRICR CUBCU CUWCW CXRCX CYMKY CYPCY CZECZ DEUDE DJIDJ DMADM DNKDK DOMDO DZADZ ECUEC EGYEG ERIER ESHEH ESPES ESTEE ETHET FINFI FJIFJ FLKFK FRAFR FROFO FSMFM GABGA GBRGB GEOGE GGYGG GHAGH GIBGI GINGN GLPGP GMBGM GNBGW GNQGQ GRCGR GRDGD GRLGL GTMGT GUFGF GUMGU GUYGY HKGHK HNDHN HRVHR HTIHT HUNHU IDNID IMNIM INDIN IOTIO IRLIE IRNIR IRQIQ ISLIS ISRIL ITAIT JAMJM JEYJE JORJO JPNJP KAZKZ KENKE KGZKG KHMKH KIRKI KNAKN KORKR KWTKW LAOLA LBNLB LBRLR LBYLY LCALC LIELI LKALK LSOLS LTULT LUXLU LVALV MACMO MAFMF MARMA MCOMC MDAMD MDGMG MDVMV MEXMX MHLMH MKDMK MLIML MLTMT MMRMM MNEME MNGMN MNPMP MOZMZ MRTMR MSRMS MTQMQ MUSMU MWIMW MYSMY MYTYT NAMNA NCLNC NERNE NFKNF NGANG NICNI NIUNU NLDNL NORNO NPLNP NRUNR NZLNZ OMNOM PAKPK PANPA PERPE PHLPH PLWPW PNGPG POLPL PRIPR PRKKP PRTPT PRYPY PSEPS PYFPF QATQA REURE ROURO RUSRU RWARW SAUSA SDNSD SENSN SGPSG SHNSH SJMSJ SLBSB SLESL SLVSV SMRSM SOMSO SPMPM SRBRS SSDSS STPST SURSR SVKSK SVNSI SWESE SWZSZ SXMSX SYCSC SYRSY TCATC TCDTD TGOTG THATH TJKTJ TKLTK TKMTM TLSTL TONTO TTOTT TUNTN TURTR TUVTV TWNTW TZATZ UGAUG UKRUA URYUY USAUS UZBUZ VATVA VCTVC VENVE VGBVG VIRVI VNMVN VUTVU WLFWF WSMWS XKXXK YEMYE ZAFZA ZMBZM ZWEZW';

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
	'country|pa[ií]s|pays|paese|nazione|l(?:ä|ae)nder(?:code|kürzel|kuerzel)|landescode|państwo|země|krajina|ország|ülke|maa|riik|valsts|šalis|država|țar[aă]|negara|страна|країна|държава|χώρα|国家?|國家|국가|나라';
/** Those that name a part of one in some sheets, as a state of Germany. */
export const WIDE_WORDS = 'land|staat|kraj';
/** What may stand beside them where the column can say nothing but a country. */
export const BESIDE =
	'code|name|iso|alpha|[23]|iso[23]|region|phone|mobile|cell|telephone|number|full|short|value|label|text|title|display|calling|dial|dialing|dialling|prefix';
/** Columns that say where someone is, by the name of a country or of another place. */
export const PLACE =
	/(^| )(region|residence|location|market|territory|nation|wohnsitz|standort|domicile)( |$)/;

/** Columns in which a number is a calling code, and not the ID of a country. */
export const OF_CODE =
	/countr.*(code|dial|call)|prefix|prefij|prefiss|(calling|dial|diall?ing) code|l(ä|ae)ndervorwahl|landesvorwahl|indicatif|(^| )(cc|ddi|idd|isd)( |$)/;
/** Those of calls, in which it is no number of ISO 3166. */
export const OF_CALLS =
	/phone|mobile|tel|prefix|prefij|prefiss|call|dial|vorwahl|indicatif|ddi|idd|isd/;

export const STATES_OF_GERMANY = /^\W*(BW|BY|BE|BB|HB|HH|HE|MV|NI|NW|RP|SL|SN|ST|SH|TH)\W*$/i;

/** What stands in a cell that says no country. */
export const NONE =
	/^[^\p{L}\p{N}\p{RI}]*$|^\W*(0|n\W?a|none|null|nil|undefined|unknown|others?|tb[acd]|not (specified|provided|available|set|known)|unspecified|(please )?(select|choose).*|k\W?A|keine Angabe|unbekannt|andere[rs]?|sonstiges?|autres?|inconnu|otros?|desconocido|outros?|desconhecido|altr[oi]|anders|onbekend)\W*$/iu;
